// Marks what libcairn.so exports. Everything else in it is hidden: it can neither clash with names of other libraries
// nor be called by accident.
#pragma once

#define CAIRN_EXPORT __attribute__((visibility("default")))
