// The release these headers are of.
#pragma once

#include "cairn/version.h"
