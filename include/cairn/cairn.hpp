// Everything a user may call.
#pragma once

#include "cairn/context.hpp"
#include "cairn/error.hpp"
#include "cairn/factor.hpp"
#include "cairn/io.hpp"
#include "cairn/layout.hpp"
#include "cairn/machine.hpp"
#include "cairn/matrix.hpp"
#include "cairn/multiply.hpp"
#include "cairn/plan.hpp"
#include "cairn/sparse.hpp"
#include "cairn/symmetric.hpp"
#include "cairn/types.hpp"
#include "cairn/vector.hpp"
#include "cairn/version.hpp"
