// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "answers.hpp"
#include "engines.hpp"
#include "formats.hpp"
#include "image.hpp"
#include "layouts.hpp"
#include "paging.hpp"

/// What every image runs.
namespace images {

/// Prints a line for each part, then the line that the stage reads.
inline verdict self_check(printer print, witness const* beside = nullptr) {
    checks to(print);
    check_layouts(to);
    check_all_paging(to, beside);
    check_formats(to);
    check_answers(to);
    check_engines(to);
    check_planted(to);
    to.end();
    line text;
    text << "self-check: " << u64{to.count()} << " checks, " << u64{to.failed()} << " failed, hash ";
    text.hex(to.hashed());
    print(text.text());
    return {to.count(), to.failed(), to.hashed()};
}

}  // namespace images
