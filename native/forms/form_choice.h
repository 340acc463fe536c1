// Which form each part of a backend takes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/parts.h"

namespace hiplab::forms {

// Each is one way to write a part; docs/architecture.md says which part has which.
enum class Form {
  fixed,           // as the fix ships
  filed,           // as the issue found it
  per_thread,      // a handle for each thread
  eager,           // every device opened at once
  once_per_key,    // a once-flag for each key
  lease_call,      // a lease held until the call returns
  lease_sync,      // a lease held until the stream has been synchronized
  event_handoff,   // the next user's stream waits for the last one's event
  thread_owned,    // a workspace for each thread
  per_call,        // made for one call: descriptors, or a stream-ordered allocation
  shared_ptr,      // shared by threads, owned by whoever still uses it
  algorithm_copy,  // shared by threads, the algorithm copied out under the lock
  mutex_held,      // shared by threads, the lock held across the call
  skip_capturing,  // polls unless the own stream captures
  relaxed_poll,    // polls under a relaxed capture mode
  no_tickets,      // a callback that names the stream, not the abandonment
};

// Part names in the order in which they are told: "device-map", "rocblas-handle", ...
const std::vector<std::string>& part_names();

// The forms of a part, FIXED first; throws hiplab::Error on an unknown part.
const std::vector<Form>& forms_of(const std::string& part);

// "FIXED", "LEASE_CALL" and so on.
const char* form_name(Form form);

// A form for every part, FIXED unless set.
class FormChoice {
 public:
  // FIXED or FILED: the forms that parts have in common; a part that was never filed stays FIXED.
  // Throws on another form.
  void set_all(Form form);
  void set_all(const std::string& form_name);
  // Throw on an unknown part and on a form that the part does not have, naming what is allowed.
  void set(const std::string& part, Form form);
  void set(const std::string& part, const std::string& form_name);
  Form of(const std::string& part) const;

 private:
  std::map<std::string, Form> forms_;
};

std::unique_ptr<backend::Parts> make_parts(const FormChoice& choice);

}  // namespace hiplab::forms
