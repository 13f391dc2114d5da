// SPDX-License-Identifier: Apache-2.0
#include "web/report_page.h"

#include <gtest/gtest.h>

#include "web/report_template.h"

namespace fathom {
namespace {

/// The part of the page between the tags of the data.
std::string data_of(const std::string& page) {
  const std::string_view tag = R"(id="report-data">)";
  const std::size_t begin = page.find(tag) + tag.size();
  return page.substr(begin, page.find("</script", begin) - begin);
}

TEST(ReportPage, IsTheTemplateWithTheDataInItsPlace) {
  const std::string json = R"({"format":1,"title":"Äpfel & \"Birnen\""})";
  const std::string page = report_page(json);
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_EQ(data_of(page), json);
  EXPECT_EQ(page.size(), report_template().size() - std::string_view("@REPORT_DATA@").size() + json.size());
  EXPECT_EQ(page.find("@REPORT_DATA@"), std::string::npos);
}

TEST(ReportPage, TextCannotEndTheDataOrBeginAComment) {
  const std::string page = report_page(R"({"title":"</script><script>alert(1)</script>","user":"<!--","name":"</SCRIPT"})");
  EXPECT_EQ(data_of(page), R"({"title":"\u003c/script>\u003cscript>alert(1)\u003c/script>","user":"\u003c!--","name":"\u003c/SCRIPT"})");
}

TEST(ReportPage, AngleBracketsAtTheEndsAndInARow) {
  EXPECT_EQ(data_of(report_page(R"(<<)")), R"(\u003c\u003c)");
  EXPECT_EQ(data_of(report_page(R"(<a<)")), R"(\u003ca\u003c)");
  EXPECT_EQ(data_of(report_page("")), "");
}

TEST(ReportPage, TheMarkMayStandInTheData) {
  EXPECT_EQ(data_of(report_page(R"({"title":"@REPORT_DATA@"})")), R"({"title":"@REPORT_DATA@"})");
}

TEST(ReportPage, TheOtherPagesTakeTheirDataTheSameWay) {
  const std::string page = slices_page(R"({"format":1,"title":"<b>"})");
  EXPECT_EQ(data_of(page), R"({"format":1,"title":"\u003cb>"})");
  EXPECT_NE(page.find("Fathom slices"), std::string::npos);
  EXPECT_EQ(data_of(what_if_page(R"({"title":"<b>"})")), R"({"title":"\u003cb>"})");
  EXPECT_NE(what_if_page("{}").find("Fathom simulation"), std::string::npos);
  EXPECT_EQ(data_of(application_page(R"({"title":"<b>"})")), R"({"title":"\u003cb>"})");
  EXPECT_NE(application_page("{}").find("Fathom application"), std::string::npos);
}

TEST(ReportPage, LoadsNothing) {
  for (const std::string_view page : {report_template(), slices_template(), what_if_template(), application_template()}) {
    EXPECT_EQ(page.find("<script type=\"module\" src="), std::string_view::npos);
    EXPECT_EQ(page.find("rel=\"stylesheet\""), std::string_view::npos);
    EXPECT_NE(page.find("default-src 'none'"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace fathom
