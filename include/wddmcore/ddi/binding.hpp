// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "no_queries.hpp"

/// Which structures a query's void pointers point to. A binding is a struct of type names, all taken from one header or
/// from one mirror version.
///
/// The argument structure's own type cannot select them: it has three layouts for twenty-one versions. A driver's
/// binding names the header's types by their tags, as `wdk/header_queries.hpp` does for all of them; a type that the
/// included header does not define stays incomplete. A binding also has `static constexpr wddm version`, the interface
/// version of the header.
namespace wddmcore::inline WDDMCORE_ABI {

/// Whether a binding has a structure: its header or its version defines it.
template <class Structure>
concept present = requires { sizeof(Structure); };

/// The structures that a driver's argument structure belongs to: `using type = ...;`. Specialised by the binding of the
/// included header; the mirrors' argument structures have none, because three of them serve all versions.
template <class Args>
struct types_of;

/// Stands for the binding that belongs to the argument structure's type.
struct of_args;

}  // namespace wddmcore
