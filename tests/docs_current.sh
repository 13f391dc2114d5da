#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs_current.sh FATHOM SOURCE: fails when a page that the program writes differs from the committed one, or is one too many.
set -euo pipefail
fathom=$1 docs=$2/docs
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$fathom" docs "$fresh"
status=0
while IFS= read -r page; do
  diff -u "$docs/$page" "$fresh/$page" || status=1
done < <(cd "$fresh" && find . -type f -name '*.md' | sort)
# A page of a command or format that is gone still carries the program's mark.
while IFS= read -r page; do
  [ -e "$fresh/$page" ] || { echo "docs/$page is no longer written by 'fathom docs': remove it"; status=1; }
done < <(cd "$docs" && grep -rlF "written by 'fathom docs'" . | sort)
[ $status -eq 0 ] || echo "run 'make docs' and commit the result"
exit $status
