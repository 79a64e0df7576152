// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#include <cstdint>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Why a file is no driver image that can be loaded here.
enum class image_fault : std::uint8_t {
    none,
    too_short,             ///< the file ends before its headers do
    no_dos_header,         ///< it does not begin with MZ
    no_pe_signature,       ///< where the DOS header points there is no PE signature
    not_x64,               ///< a machine other than 0x8664
    not_an_executable,     ///< an object file, or one that was not linked to the end
    not_pe32_plus,         ///< the optional header is of another kind, or too small
    not_native,            ///< the subsystem is not NATIVE: a program or a library, no driver
    bad_alignment,         ///< section or file alignment is no power of two, or a section begins elsewhere
    bad_size,              ///< SizeOfImage or SizeOfHeaders does not fit, or the image is larger than 256 MiB
    section_out_of_file,   ///< a section's bytes are not in the file
    section_out_of_image,  ///< a section lies outside SizeOfImage, or over another one
    bad_entry_point,       ///< the entry point lies in no executable section
    bad_imports,           ///< an import descriptor, a name or a thunk lies outside the image
    import_by_ordinal,     ///< an import has no name
    delayed_imports,       ///< imports that are bound at the first call, which no kernel driver has
    bad_relocations,       ///< a block or a place lies outside the image, or of a kind that x64 has not
    bad_exceptions,        ///< the function table lies outside the image, is not sorted, or names places outside
    bad_load_config,       ///< the load configuration or the security cookie lies outside the image
};

/// The sentence for a fault.
[[nodiscard]] constexpr char const* sentence_of(image_fault fault) {
    switch (fault) {
        case image_fault::none: return "the image can be loaded";
        case image_fault::too_short: return "the file ends before its headers do";
        case image_fault::no_dos_header: return "the file does not begin with MZ";
        case image_fault::no_pe_signature: return "there is no PE signature";
        case image_fault::not_x64: return "the image is not for x64";
        case image_fault::not_an_executable: return "the file is not marked as an executable image";
        case image_fault::not_pe32_plus: return "the optional header is not that of a 64-bit image";
        case image_fault::not_native: return "the subsystem is not NATIVE: this is no driver";
        case image_fault::bad_alignment: return "the alignment of sections is wrong";
        case image_fault::bad_size: return "SizeOfImage or SizeOfHeaders is wrong";
        case image_fault::section_out_of_file: return "a section's bytes are not in the file";
        case image_fault::section_out_of_image: return "a section lies outside the image or over another one";
        case image_fault::bad_entry_point: return "the entry point lies in no executable section";
        case image_fault::bad_imports: return "the import table is damaged";
        case image_fault::import_by_ordinal: return "an import has a number instead of a name";
        case image_fault::delayed_imports: return "the image has delayed imports, which the kernel does not bind";
        case image_fault::bad_relocations: return "the base relocations are damaged";
        case image_fault::bad_exceptions: return "the exception table is damaged";
        case image_fault::bad_load_config: return "the load configuration is damaged";
    }
    return "?";
}

}  // namespace wddmcore::testing
