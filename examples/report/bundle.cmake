# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# cmake -DFROM=folder -DTO=page.cpp -P bundle.cmake: the template of the page, as an array of bytes.
file(READ "${FROM}/page.html" page)
set(parts_css page.css)
set(parts_js page_base.js page_operation.js page_pictures.js page_choice.js)
foreach(kind css js)
    set(text "")
    foreach(part IN LISTS parts_${kind})
        file(READ "${FROM}/${part}" one)
        string(APPEND text "${one}")
    endforeach()
    string(TOUPPER "@${kind}@" mark)
    string(FIND "${page}" "${mark}" at)
    string(LENGTH "${mark}" length)
    string(SUBSTRING "${page}" 0 ${at} before)
    math(EXPR behind "${at} + ${length}")
    string(SUBSTRING "${page}" ${behind} -1 after)
    set(page "${before}${text}${after}")
endforeach()
file(WRITE "${TO}.html" "${page}")
file(READ "${TO}.html" bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "char(0x\\1)," bytes "${bytes}")
string(REPLACE "char(0x0a)," "char(0x0a),\n" bytes "${bytes}")
file(WRITE "${TO}" "extern char const report_page[];\nextern unsigned const report_page_size;\n"
    "char const report_page[] = {\n${bytes}\n};\nunsigned const report_page_size = ${size};\n")
