/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/* What the kit's library has for /GS: the cookie, its check, and the load configuration that tells the loader of it. */

#include <ntddk.h>

ULONG_PTR __security_cookie = 0x00002B992DDFA232;

VOID __security_check_cookie(ULONG_PTR Cookie);
VOID __security_check_cookie(ULONG_PTR Cookie) {
    if (Cookie != __security_cookie) {
#if defined(_M_ARM64)
        __asm__ volatile("brk #0xF003" : : : "memory");
#else
        __asm__ volatile("int $0x29" : : "c"(2)); /* FAST_FAIL_STACK_COOKIE_CHECK_FAILURE */
#endif
    }
}

struct load_configuration {
    ULONG Size;
    UCHAR Before[84];
    ULONG_PTR* SecurityCookie;
    UCHAR After[0x140 - 0x60];
};
const struct load_configuration _load_config_used = {0x140, {0}, &__security_cookie, {0}};
