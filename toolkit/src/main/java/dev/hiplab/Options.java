package dev.hiplab;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a backend is opened with. An empty text or 0 means "not said": the environment
 * (HIPLAB_DRIVER, HIPLAB_PROFILE, HIPLAB_HOST_DEVICES) decides, then the default. Immutable.
 *
 * @param driver {@code auto}, {@code rocm} or {@code host}
 * @param profile software device only: {@code gfx1151} or {@code splitk}
 * @param hostDevices software device only: how many devices it shows, 1 to 16
 * @param countCalls whether every driver call is counted by name (see {@link Backend#counters()})
 * @param forms form of each part of the backend, by the part's name; the name {@code *} stands for
 *     every part. Parts that are not named are FIXED. {@link Backend#formParts()} lists them.
 * @param failCall a driver call that fails without being made, {@code [function#]n[+]:status}: the
 *     nth call after opening (with +, every one from there on) of any function or of that one, such
 *     as {@code hipMalloc#2:2}; one backend of a process at a time
 * @param hostArch software device only: the instruction set whose device it says to be, such as
 *     {@code gfx1151}, where that is not its profile's
 */
public record Options(
    String driver,
    String profile,
    int hostDevices,
    boolean countCalls,
    Map<String, String> forms,
    String failCall,
    String hostArch) {
  /** Name that stands for every part in {@link #forms()}. */
  public static final String EVERY_PART = "*";

  private static final Options NOTHING_SAID = new Options("", "", 0, false, Map.of(), "", "");

  public Options {
    Require.given(forms, "forms", "a map, empty when every part is FIXED");
    requireOneLine("driver", driver);
    requireOneLine("profile", profile);
    requireOneLine("failCall", failCall);
    requireOneLine("hostArch", hostArch);
    for (Map.Entry<String, String> form : forms.entrySet()) {
      requirePartAndForm(form.getKey(), form.getValue());
    }
    forms = Map.copyOf(forms);
  }

  /** Without a failing call, and with the profile's own instruction set. */
  public Options(
      String driver,
      String profile,
      int hostDevices,
      boolean countCalls,
      Map<String, String> forms) {
    this(driver, profile, hostDevices, countCalls, forms, "", "");
  }

  /**
   * Nothing said, except by the system properties {@code hiplab.driver}, {@code hiplab.profile} and
   * {@code hiplab.hostDevices}, which win over the environment.
   */
  public static Options defaults() {
    return NOTHING_SAID
        .withDriver(System.getProperty("hiplab.driver", ""))
        .withProfile(System.getProperty("hiplab.profile", ""))
        .withHostDevices(hostDevicesProperty());
  }

  /** With all three said, whatever the system properties say. */
  public static Options of(String driver, String profile, int hostDevices) {
    return NOTHING_SAID.withDriver(driver).withProfile(profile).withHostDevices(hostDevices);
  }

  public Options withDriver(String value) {
    return new Options(value, profile, hostDevices, countCalls, forms, failCall, hostArch);
  }

  public Options withProfile(String value) {
    return new Options(driver, value, hostDevices, countCalls, forms, failCall, hostArch);
  }

  public Options withHostDevices(int value) {
    return new Options(driver, profile, value, countCalls, forms, failCall, hostArch);
  }

  public Options withCountCalls(boolean value) {
    return new Options(driver, profile, hostDevices, value, forms, failCall, hostArch);
  }

  public Options withForms(Map<String, String> value) {
    return new Options(driver, profile, hostDevices, countCalls, value, failCall, hostArch);
  }

  /** A driver call that fails, {@code [function#]n[+]:status}; "" for none. */
  public Options withFailCall(String value) {
    return new Options(driver, profile, hostDevices, countCalls, forms, value, hostArch);
  }

  /** What the software device says to be, such as {@code gfx1151}; "" for its profile's. */
  public Options withHostArch(String value) {
    return new Options(driver, profile, hostDevices, countCalls, forms, failCall, value);
  }

  /** One part in a form, the others as they are. */
  public Options withForm(String part, String form) {
    Map<String, String> all = new LinkedHashMap<>(forms);
    all.put(part, form);
    return withForms(all);
  }

  /** Every part in a form, FIXED or FILED: the others belong to single parts. */
  public Options withForm(String form) {
    return withForms(Collections.singletonMap(EVERY_PART, form));
  }

  /** The lines that the native layer reads. */
  String toText() {
    StringBuilder text = new StringBuilder();
    if (!driver.isEmpty()) {
      text.append("driver=").append(driver).append('\n');
    }
    if (!profile.isEmpty()) {
      text.append("profile=").append(profile).append('\n');
    }
    if (hostDevices != 0) {
      text.append("host_devices=").append(hostDevices).append('\n');
    }
    if (countCalls) {
      text.append("count_calls=1\n");
    }
    if (!failCall.isEmpty()) {
      text.append("fail_call=").append(failCall).append('\n');
    }
    if (!hostArch.isEmpty()) {
      text.append("host_arch=").append(hostArch).append('\n');
    }
    // "Every part" comes first, so that a part's own line wins over it.
    String every = forms.get(EVERY_PART);
    if (every != null) {
      text.append("form=").append(every).append('\n');
    }
    for (Map.Entry<String, String> form : forms.entrySet()) {
      if (!form.getKey().equals(EVERY_PART)) {
        text.append("form.").append(form.getKey()).append('=').append(form.getValue()).append('\n');
      }
    }
    return text.toString();
  }

  private static int hostDevicesProperty() {
    String text = System.getProperty("hiplab.hostDevices", "").trim();
    if (text.isEmpty()) {
      return 0;
    }
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new HiplabException(
          "-Dhiplab.hostDevices=" + text + " is no number; give 1 to 16, or leave it out");
    }
  }

  private static void requirePartAndForm(String part, String form) {
    if (part == null) {
      throw new HiplabException(
          "a part in forms is null; name one that Backend.formParts() lists, or \""
              + EVERY_PART
              + "\" for every part");
    }
    boolean every = part.equals(EVERY_PART);
    String what = every ? "the form of every part" : "the form of part " + part;
    if (form == null) {
      String allowed =
          every
              ? "\"FIXED\" or \"FILED\""
              : "\"FIXED\", \"FILED\" or another that Backend.formParts() lists for it";
      throw new HiplabException(what + " is null; give " + allowed + ", or leave it out");
    }
    requireNoBreak("a part in forms", part);
    requireNoBreak(what, form);
  }

  private static void requireOneLine(String what, String value) {
    if (value == null) {
      throw new HiplabException(what + " is null; give \"\" to leave it unsaid");
    }
    requireNoBreak(what, value);
  }

  // The native layer reads one key=value per line: a line break inside a value would be read as
  // another key, and a NUL would end the text there.
  private static void requireNoBreak(String what, String value) {
    if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
      throw new HiplabException(what + " holds a line break; give one name");
    }
    Require.noNul(value, "options", what);
  }
}
