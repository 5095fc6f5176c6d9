#include "bounds/machine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bounds/flat_json.hpp"
#include "cairn/error.hpp"

namespace cairn::bounds {
namespace {

double number_in(std::string_view text) { return std::get<double>(parse_flat_json(text).at("x")); }
std::string text_in(std::string_view text) { return std::get<std::string>(parse_flat_json(text).at("x")); }

TEST(FlatJson, ReadsWhatJsonAllows) {
  EXPECT_TRUE(parse_flat_json(" {\n} ").empty());
  EXPECT_EQ(number_in(R"({"x":-0.5e+2})"), -50);
  EXPECT_EQ(number_in(R"( { "y" : 1 , "x" : 10 } )"), 10);
  EXPECT_EQ(number_in(R"({"x": 0})"), 0);
  EXPECT_EQ(text_in(R"({"x": "a\"\\\/\n\u00e9\u20AC"})"), "a\"\\/\n\u00e9\u20ac");
  const FlatObject words = parse_flat_json(R"({"t": true, "f": false, "n": null})");
  EXPECT_EQ(words.at("t"), FlatValue(true));
  EXPECT_EQ(words.at("f"), FlatValue(false));
  EXPECT_EQ(words.at("n"), FlatValue());
}

TEST(FlatJson, RefusesEverythingElse) {
  for (const char* bad : {"",
                          "[]",
                          "1",
                          "{",
                          "{]",
                          R"({"x"})",
                          R"({"x":})",
                          R"({"x":1,})",
                          R"({"x":1} 2)",
                          R"({x:1})",
                          R"({"x":01})",
                          R"({"x":.5})",
                          R"({"x":1.})",
                          R"({"x":+1})",
                          R"({"x":1e})",
                          R"({"x":nan})",
                          R"({"x":inf})",
                          R"({"x":1e999})",
                          R"({"x":truely})",
                          R"({"x":[1]})",
                          R"({"x":{}})",
                          R"({"x":1,"x":2})",
                          R"({"x":"a)",
                          R"({"x":"\q"})",
                          R"({"x":"\u12g4"})",
                          R"({"x":"\ud800"})",
                          R"({"x":"\u00)",
                          "{\"x\":\"a\nb\"}",
                          R"({"x":"\)"})
    EXPECT_THROW(parse_flat_json(bad), IoError) << bad;
  EXPECT_THROW(parse_flat_json(std::string_view("{\"x\":\"\0\"}", 9)), IoError);
}

TEST(FlatJson, SaysWhere) {
  try {
    parse_flat_json(R"({"x": oops})");
    FAIL() << "not refused";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("at byte 6 expected"), std::string::npos) << error.what();
  }
}

TEST(FlatJson, ReadsWhatItWrites) {
  const FlatObject object{{"a", 0.1},  {"b", 1e9},   {"c", -2.5e-300},   {"d", "q\"b\\s/n\nx\x01 \u00e9"},
                          {"e", true}, {"f", false}, {"g", FlatValue{}}, {"h\t", 12345678901234.0}};
  EXPECT_EQ(parse_flat_json(flat_json_text(object)), object);
  EXPECT_TRUE(parse_flat_json(flat_json_text({})).empty());
}

class MachineFile : public testing::Test {
 protected:
  MachineFile() {
    std::string pattern = testing::TempDir() + "machineXXXXXX";
    folder_ = mkdtemp(pattern.data());
    file_ = folder_ / "deep" / "machine.json";
  }
  ~MachineFile() override { std::filesystem::remove_all(folder_); }

  void expect_refused(const std::string& text, const std::string& why) {
    std::ofstream(file_) << text;
    try {
      load_machine(file_);
      ADD_FAILURE() << text << ": not refused";
    } catch (const IoError& error) {
      EXPECT_EQ(std::string(error.what()).find(file_.string() + ": " + why), 0) << error.what();
    }
  }

  std::filesystem::path folder_, file_;
};

TEST_F(MachineFile, ComesBackAsItWas) {
  save_machine({1.0 / 3, 2e-9, 7e-11, 123456789}, file_);
  const Machine m = load_machine(file_);
  EXPECT_EQ(m.alpha, 1.0 / 3);
  EXPECT_EQ(m.beta, 2e-9);
  EXPECT_EQ(m.gamma, 7e-11);
  EXPECT_EQ(m.memory_words, 123456789);
}

TEST_F(MachineFile, SaysWhatIsWrong) {
  std::filesystem::create_directories(file_.parent_path());
  expect_refused("[1, 2]", "not a JSON object");
  expect_refused(R"({"format": "other"})", "not a machine file (format is not 'cairn-machine')");
  expect_refused(R"({"format": 1})", "not a machine file");
  expect_refused(R"({"format": "cairn-machine"})", "'alpha' is missing or not a number");
  expect_refused(R"({"format": "cairn-machine", "alpha": "1"})", "'alpha' is missing or not a number");
  expect_refused(R"({"format": "cairn-machine", "alpha": 1, "beta": 0})",
                 "'beta' is 0, expected more than 0");
  EXPECT_THROW(load_machine(folder_ / "none"), IoError);
  EXPECT_THROW(save_machine({}, file_ / "below"), IoError);
}

}  // namespace
}  // namespace cairn::bounds
