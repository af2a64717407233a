// The functions for options of the command line that course code takes from the header of this name in NVIDIA's samples.
#pragma once

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

namespace wv {
// What stands behind a name in "--name=value", of any number of dashes and either case; null where it is not given.
inline char *option(int count, const char **arguments, const char *name) {
    char *found = nullptr;
    for (int k = 1; k < count; k++) {
        const char *text = arguments[k] + std::strspn(arguments[k], "-");
        std::size_t same = 0;
        while (name[same] && std::tolower(text[same]) == std::tolower(name[same])) same++;
        if (!name[same] && (!text[same] || text[same] == '=')) found = const_cast<char *>(text) + same;
    }
    return found;
}
inline const char *option_value(int count, const char **arguments, const char *name) {
    const char *found = option(count, arguments, name);
    return found && *found == '=' ? found + 1 : found;
}
}  // namespace wv

inline bool checkCmdLineFlag(int count, const char **arguments, const char *name) {
    return wv::option(count, arguments, name) != nullptr;
}
inline int getCmdLineArgumentInt(int count, const char **arguments, const char *name) {
    const char *value = wv::option_value(count, arguments, name);
    return value ? std::atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(int count, const char **arguments, const char *name) {
    const char *value = wv::option_value(count, arguments, name);
    return value ? static_cast<float>(std::atof(value)) : 0.0f;
}
inline bool getCmdLineArgumentString(int count, const char **arguments, const char *name, char **value) {
    *value = const_cast<char *>(wv::option_value(count, arguments, name));
    return *value != nullptr;
}
template <class T> bool getCmdLineArgumentValue(int count, const char **arguments, const char *name, T *value) {
    const char *text = wv::option_value(count, arguments, name);
    if (text) *value = static_cast<T>(std::atoi(text));
    return text != nullptr;
}
// The path of a file here or in a folder of data beside, which the caller frees; null where there is none.
inline char *sdkFindFilePath(const char *name, const char *) {
    for (const char *folder : {"./", "./data/", "../data/", "../../data/"}) {
        const std::string path = std::string(folder) + name;
        if (std::FILE *file = std::fopen(path.c_str(), "rb")) {
            std::fclose(file);
            return strcpy(static_cast<char *>(std::malloc(path.size() + 1)), path.c_str());
        }
    }
    return nullptr;
}
