# SPDX-License-Identifier: Apache-2.0
# Licences, notices and documentation, as they lie in the source: links between pages hold, and docs/NAME.md of --help and of pages for man is share/doc/fathom/docs/NAME.md.
set(documents share/doc/fathom)
install(FILES LICENSE THIRD_PARTY.md README.md CHANGELOG.md ARCHITECTURE.md DESTINATION ${documents})
install(FILES web/LICENSES.md DESTINATION ${documents}/web)
install(DIRECTORY docs DESTINATION ${documents})
install(FILES share/doc/copyright DESTINATION ${documents})
