import static dev.hiplab.Lab.*;
import dev.hiplab.*;
import dev.hiplab.measure.*;
import dev.hiplab.race.*;
import dev.hiplab.report.*;
// jshell imports java.util.stream.* by itself: without this line the name would be ambiguous.
import dev.hiplab.Stream;
// So that charts and tables of the libraries show richly before hiplab is called.
Show.install();
