package dev.hiplab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The forms that options ask for, part by part: in words, and in words when they cannot be. */
final class Forms {
  private static final String FIXED = "FIXED";
  private static final String FILED = "FILED";

  private Forms() {}

  static boolean allFixed(Map<String, String> chosen) {
    for (String form : chosen.values()) {
      if (!form.trim().equals(FIXED)) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@code all parts FIXED}, {@code all parts FILED}, or the parts that are not FIXED: {@code
   * workspace LEASE_CALL, pipe-cache FILED, the other parts FIXED}.
   */
  static String inWords(Map<String, String> chosen, Map<String, List<String>> parts) {
    String every = chosen.getOrDefault(Options.EVERY_PART, FIXED).trim();
    List<String> differing = new ArrayList<>();
    boolean allFiled = true;
    for (String part : parts.keySet()) {
      String form = chosen.getOrDefault(part, every).trim();
      allFiled &= form.equals(FILED);
      if (!form.equals(FIXED)) {
        differing.add(part + " " + form);
      }
    }
    if (differing.isEmpty() || allFiled) {
      return "all parts " + (allFiled ? FILED : FIXED);
    }
    if (differing.size() < parts.size()) {
      differing.add("the other parts FIXED");
    }
    return String.join(", ", differing);
  }

  /**
   * Told here and not by the native layer, which knows no {@code withForm}. Names that no part has
   * are left to it; it tells them with what is allowed.
   *
   * @throws HiplabException when every part is to take a form that only some have
   */
  static void requireOfEveryPart(Map<String, String> chosen) {
    String form = chosen.getOrDefault(Options.EVERY_PART, FIXED).trim();
    if (form.equals(FIXED) || form.equals(FILED)) {
      return;
    }
    List<String> having = new ArrayList<>();
    Backend.formParts()
        .forEach(
            (part, forms) -> {
              if (forms.contains(form)) {
                having.add(part);
              }
            });
    if (!having.isEmpty()) {
      throw new HiplabException(
          form
              + " is no form of every part, as FIXED and FILED are; of "
              + String.join(" and ", having)
              + " it is: withForm(\""
              + having.get(0)
              + "\", \""
              + form
              + "\")");
    }
  }
}
