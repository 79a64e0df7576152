// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../image/driver_library.hpp"
#include "../../image/loaded_image.hpp"
#include "../../kernel/services.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <memory>
#    include <sstream>
#    include <string>
#    include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {
namespace certify_parts {
namespace kp = kernel_parts;
}

/// Where a driver comes from: one of the two.
struct driver_source {
    pe_file const* file = nullptr;                   ///< a good image
    wddmcore_bound_driver const* library = nullptr;  ///< a library that was linked with bind_driver.cpp

    /// Loads the driver into this process.
    /// @throws std::runtime_error  no address space
    [[nodiscard]] std::unique_ptr<loaded_driver> load(import_calls const& calls) const {
        if (file != nullptr) {
            return std::make_unique<loaded_image>(*file, &service_of, calls);
        }
        return std::make_unique<driver_library>(*library, &service_of_library, calls);
    }

    /// The first lines of its report: what is special about such a driver, what it is made of, and what has no service.
    [[nodiscard]] std::vector<std::string> foreword() const {
        return file != nullptr ? foreword_of_image() : foreword_of_library();
    }
    /// What cannot be judged of such a driver.
    [[nodiscard]] std::vector<std::string> unjudged() const {
        if (file != nullptr) {
            return {
                "exceptions that would cross a function of the kernel, or are raised in a filter, on their way to a "
                "handler"};
        }
        return {"structured exceptions, security cookies, relocations; the driver is certified from source",
                "pageable sections other than PAGE; the driver is certified from source"};
    }

private:
    [[nodiscard]] static import_target service_of(std::string const& name) {
        kernel_parts::service const* const s = kernel_parts::find_service(name);
        return s != nullptr ? import_target{s->address, s->variable_bytes} : import_target{};
    }
    /// DxgkInitialize is in an image already, from a kit's display library, which is none that ELF objects link with.
    [[nodiscard]] static import_target service_of_library(std::string const& name) {
        return name == "DxgkInitialize"
                   ? import_target{reinterpret_cast<void*>(&kernel_parts::object_services::initialize_graphics)}
                   : service_of(name);
    }

    [[nodiscard]] std::vector<std::string> foreword_of_image() const {
        std::vector<std::string> lines = {
            "Certified as an image on Linux. No image built by MSVC has been run with this program yet: what is",
            "known of such images comes from documents and from images built by clang and lld."};
        std::ostringstream out;
        out << "image: " << file->size() << " bytes, " << file->sections().size() << " sections, "
            << file->imports().size() << " imports, " << file->relocations().size() << " relocations, "
            << file->functions().size() << " rows of exception data, "
            << (file->cookie() != 0 ? "a security cookie" : "no security cookie") << ", linker " << file->linker().first
            << '.' << file->linker().second;
        lines.push_back(out.str());
        std::string sections = "sections:";
        for (image_section const& s : file->sections()) {
            sections += ' ' + text_of(s) + ';';
        }
        lines.push_back(sections);
        for (image_import const& i : file->imports()) {
            if (kernel_parts::find_service(i.name) == nullptr) {
                lines.push_back("no service for " + i.library + '!' + i.name + ": the run ends if it is called");
            }
        }
        return lines;
    }
    [[nodiscard]] std::vector<std::string> foreword_of_library() const {
        std::vector<std::string> lines = {
            "Certified from source on Linux: the code is clang's for this machine, not the image that Windows loads.",
            "No exception is handled, since clang leaves out __except and __finally here. What only an image has is",
            "not judged: security cookies, relocations. PAGE and INIT come and go; other sections are always there."};
        std::string sections = "sections:";
        for (image_section const& s : driver_library::sections_of(*library)) {
            sections += ' ' + text_of(s) + ';';
        }
        lines.push_back(sections);
        for (auto const* n = library->names; n != library->names_end; ++n) {
            if (service_of_library(n->name).address == nullptr) {
                lines.push_back(std::string("no service for ") + n->name + ": the run ends if it is called");
            }
        }
        return lines;
    }
    [[nodiscard]] static std::string text_of(image_section const& s) {
        return s.name +
               (s.executes ? " x"
                : s.writes ? " rw"
                           : " r") +
               (s.pageable ? " pageable" : "") + (s.discardable ? " discardable" : "");
    }
};

}  // namespace wddmcore::testing

#endif
