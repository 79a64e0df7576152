// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The self-checks as one function, compiled with the flags of each target; what is around it is each image's own.

#include "payload/image.hpp"

#include "payload/self_check.hpp"

namespace images {

verdict run_self_check(printer print) { return self_check(print); }

}  // namespace images
