// A device node, and whether this user may use it.
#pragma once

#include <string>
#include <vector>

#include "driver/rocm/reason.h"

namespace hiplab::driver::rocm_provider {

struct DeviceNode {
  std::string path;
  bool there = false;
  int error = 0;      // errno of opening it for reading and writing; 0: it opens
  std::string owner;  // names, or numbers where this system has no name for them
  std::string group;
  bool group_named = false;
  unsigned mode = 0;          // permission bits
  bool member = false;        // this process has the group
  bool member_later = false;  // a new login of this user would have it
};

// Whether it opens for reading and writing. Asks for no names, which may come over a network.
bool opens(const std::string& path);

// Opens the node and closes it again, which touches no GPU.
DeviceNode look_at_node(const std::string& path);

// The renderD* nodes of /dev/dri, by name.
std::vector<DeviceNode> render_nodes(const std::string& folder);

// Why a node that is there does not open, and what to do. Only for one with an error.
Reason refusal(const DeviceNode& node);

// The user of this process, by name or number.
std::string user_name();

// The permission bits as octal digits: 0660.
std::string octal(unsigned mode);

}  // namespace hiplab::driver::rocm_provider
