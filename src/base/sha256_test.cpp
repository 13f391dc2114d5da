// SPDX-License-Identifier: Apache-2.0
// Expected values are those of the standards: FIPS 180-4's examples for SHA-256 (also in NIST's "Examples with Intermediate Values"), RFC
// 4231 for HMAC.
#include "base/sha256.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

std::string hash(std::string_view text) { return hex_digits(sha256(text)); }
std::string keyed(std::string_view key, std::string_view text) { return hex_digits(hmac_sha256(key, text)); }

TEST(Sha256, ExamplesOfTheStandard) {
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, NothingAtAll) { EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"); }

// The length fills the last eight bytes of a block: 55 bytes are the most that need one block, 56 and 64 need two.
TEST(Sha256, AroundTheEndOfABlock) {
  EXPECT_EQ(hash(std::string(55, 'a')), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(hash(std::string(56, 'a')), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(hash(std::string(64, 'a')), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(HmacSha256, ExamplesOfTheStandard) {
  EXPECT_EQ(keyed(std::string(20, '\x0b'), "Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(keyed("Jefe", "what do ya want for nothing?"), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  // A key longer than a block is hashed first (test case 6).
  EXPECT_EQ(keyed(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

}  // namespace
}  // namespace fathom
