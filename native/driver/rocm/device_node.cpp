#include "driver/rocm/device_node.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace hiplab::driver::rocm_provider {
namespace {

constexpr std::size_t kEntryBytes = 16384;  // of a line of /etc/passwd or /etc/group

std::string name_of_user(uid_t id) {
  std::vector<char> buffer(kEntryBytes);
  passwd entry{};
  passwd* found = nullptr;
  getpwuid_r(id, &entry, buffer.data(), buffer.size(), &found);
  return found == nullptr ? std::to_string(id) : found->pw_name;
}

std::string name_of_group(gid_t id, bool& named) {
  std::vector<char> buffer(kEntryBytes);
  group entry{};
  group* found = nullptr;
  getgrgid_r(id, &entry, buffer.data(), buffer.size(), &found);
  named = found != nullptr;
  return named ? found->gr_name : std::to_string(id);
}

bool process_has(gid_t id) {
  if (getegid() == id) return true;
  std::vector<gid_t> groups(std::max(0, getgroups(0, nullptr)));
  const int count = getgroups(static_cast<int>(groups.size()), groups.data());
  return std::find(groups.begin(), groups.begin() + std::max(0, count), id) !=
         groups.begin() + std::max(0, count);
}

// What /etc/group says now, which a session that began earlier does not have.
bool listed_in(gid_t id) {
  std::vector<char> buffer(kEntryBytes);
  passwd entry{};
  passwd* found = nullptr;
  getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr) return false;
  int count = 1024;
  std::vector<gid_t> groups(count);
  if (getgrouplist(found->pw_name, found->pw_gid, groups.data(), &count) < 0) return false;
  return std::find(groups.begin(), groups.begin() + count, id) != groups.begin() + count;
}

Reason no_permission(const DeviceNode& node, const std::string& why, const std::string& step) {
  return {"no permission to open " + node.path + " (owner " + node.owner + ", group " + node.group +
              ", mode " + octal(node.mode) + "), " + why,
          step};
}

}  // namespace

std::string octal(unsigned mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", mode);
  return text;
}

std::string user_name() { return name_of_user(geteuid()); }

bool opens(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file >= 0) close(file);
  return file >= 0;
}

DeviceNode look_at_node(const std::string& path) {
  DeviceNode node;
  node.path = path;
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) {
    node.error = errno;
    return node;
  }
  node.there = true;
  node.owner = name_of_user(about.st_uid);
  node.group = name_of_group(about.st_gid, node.group_named);
  node.mode = about.st_mode & 07777;
  node.member = process_has(about.st_gid);
  node.member_later = node.member || listed_in(about.st_gid);
  if (!opens(path)) node.error = errno;
  return node;
}

std::vector<DeviceNode> render_nodes(const std::string& folder) {
  std::vector<DeviceNode> nodes;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with("renderD")) {
      nodes.push_back(look_at_node(entry.path().string()));
    }
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const DeviceNode& a, const DeviceNode& b) { return a.path < b.path; });
  return nodes;
}

Reason refusal(const DeviceNode& node) {
  if (node.error == EPERM) {
    // Whatever the mode says: a control group's list of devices refuses with this number.
    return no_permission(node, "as this container's device rules forbid it",
                         "start the container with --device=" + node.path);
  }
  if (node.error != EACCES) {
    return {"cannot open " + node.path + " (" + std::strerror(node.error) + ")",
            "look for amdgpu in the kernel's messages (sudo dmesg)"};
  }
  constexpr unsigned kGroupMay = 060;
  const bool usual = node.group == "render" || node.group == "video" || !node.group_named;
  if ((node.mode & kGroupMay) != kGroupMay || !usual) {
    return no_permission(node, "which gives it to no group that users are put into",
                         "sudo chgrp render " + node.path + " && sudo chmod 660 " + node.path +
                             ", until a udev rule of ROCm's packages does so");
  }
  const std::string group = "group " + node.group;
  if (!node.member && node.member_later) {
    return no_permission(
        node, "and this session began before user " + user_name() + " was put into " + group,
        "log out and in again");
  }
  if (!node.group_named) {
    return no_permission(node, "and user " + user_name() + " is not in " + group,
                         "start the container with --group-add " + node.group);
  }
  return no_permission(
      node, "and user " + user_name() + " is not in " + group,
      "sudo usermod -aG " + node.group + " " + user_name() + ", then log out and in again");
}

}  // namespace hiplab::driver::rocm_provider
