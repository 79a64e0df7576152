// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

using namespace queue_driver;

namespace hardware_queues_submission_mistakes {
namespace {

TEST_CASE("HWS-04: a driver whose contexts start suspended is caught") {
    expect_caught(calm(), mistake::starts_suspended, "HWS-04");
}

TEST_CASE("HWS-04: a driver that keeps scheduling properties from the hardware is caught") {
    expect_caught(calm(), mistake::keeps_properties, "HWS-04");
}

TEST_CASE("HWS-04: a driver that refuses scheduling properties is caught") {
    expect_caught(calm(), mistake::properties_fail, "HWS-04");
}

TEST_CASE("HWS-05: a driver that keeps the system's pointer to private data is caught") {
    expect_caught(calm(), mistake::keeps_private_data, "HWS-05");
}

TEST_CASE("HWS-05: a driver that copies private data after the call is caught") {
    expect_caught(calm(), mistake::copies_in_dpc, "HWS-05");
}

TEST_CASE("HWS-05: a driver that copies half of the private data is caught") {
    expect_caught(calm(), mistake::copies_half, "HWS-05");
}

TEST_CASE("HWS-06: a fence that is written when the buffer was read is caught") {
    expect_caught(calm(), mistake::fence_when_read, "HWS-06");
}

TEST_CASE("HWS-06: a driver that writes the fence when it submits is caught") {
    expect_caught(calm(), mistake::fence_at_submission, "HWS-06");
}

TEST_CASE("HWS-06: a fence that nobody writes is caught") { expect_caught(calm(), mistake::no_fence, "HWS-06"); }

TEST_CASE("HWS-06: a driver that drops a submission is caught") {
    setup s = calm();
    s.options.chances.suspend = 0;
    expect_caught(s, mistake::drops_submission, "HWS-06");
}

TEST_CASE("HWS-06: a driver that refuses a submission is caught") {
    setup s = calm();
    s.options.chances.suspend = 0;
    expect_caught(s, mistake::submission_fails, "HWS-06");
}

}  // namespace
}  // namespace hardware_queues_submission_mistakes
