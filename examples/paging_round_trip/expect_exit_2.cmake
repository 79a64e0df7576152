# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
# LIMIT, when it is set: kilobytes of address space that the program gets.
if(LIMIT)
    set(PROGRAM sh -c "ulimit -v ${LIMIT} && exec \"$0\" \"$@\"" "${PROGRAM}")
endif()
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE error)
if(NOT result EQUAL 2 OR NOT error MATCHES "expected|needs a value|unknown option")
    message(FATAL_ERROR "${ARGUMENTS}: exit ${result}, said: ${error}")
endif()
