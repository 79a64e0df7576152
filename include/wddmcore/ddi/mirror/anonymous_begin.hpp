// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Included before the mirrors of one file and undone by anonymous_end.hpp, so there is no include guard. The DDI has
// anonymous structs inside its unions (flag bits beside their word); every compiler takes them, as an extension.

#if defined(_MSC_VER) && !defined(__clang__)
#    pragma warning(push)
#    pragma warning(disable : 4201)
#else
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wpedantic"
#endif
