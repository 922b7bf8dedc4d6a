package io.redrive.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The house rules that a text scan can check, as data where possible. Each rule names the remedy. */
final class TidyRules {
    static final int MAX_MAIN_LINES = 400;
    static final int MAX_TEST_LINES = 600;

    private static final Set<String> FREE_TIME = Set.of("bench", "examples");
    private static final Set<String> TALKERS = Set.of("cli", "bench", "examples");
    static final Set<String> UNPUBLISHED = Set.of("bench", "examples");

    private static final Predicate<SourceFile> TIMED =
            file -> file.isMain() && !file.isIn(FREE_TIME) && !file.name().matches("SystemTime.*\\.java|Time\\.java");
    private static final Predicate<SourceFile> SILENT = file -> file.isMain() && !file.isIn(TALKERS);
    private static final Predicate<SourceFile> PROSE = file -> file.path().matches(".*\\.(java|md|yml|yaml|sql)");

    static final List<Ban> CALLS_IN_MAIN = List.of(
            Ban.inCode("Thread(\\.|::)sleep|TimeUnit\\.\\w+\\.sleep", "wait through the Time passed in", TIMED),
            Ban.inCode("Instant(\\.now\\(|::now)", "use now() of the Time passed in", TIMED),
            Ban.inCode("System(\\.|::)currentTimeMillis", "use now() of the Time passed in", TIMED),
            Ban.inCode("System(\\.|::)nanoTime", "use nanos() of the Time passed in", TIMED),
            Ban.inCode("Math(\\.|::)random|new Random\\(", "use the RandomGenerator passed in", TIMED),
            Ban.inCode("\\.printStackTrace\\b", "log it, or pass it on as a cause", SourceFile::isMain),
            Ban.inCode("System\\.(out|err)\\b", "use System.Logger, or move the printing to cli", SILENT));

    static final List<Ban> CALLS_IN_TESTS = List.of(
            Ban.inCode(
                    "Thread(\\.|::)sleep|TimeUnit\\.\\w+\\.sleep",
                    "use ManualTime, a latch or Awaitility",
                    SourceFile::isTest),
            Ban.inCode("@Disabled\\b", "repair the test or delete it", SourceFile::isTest),
            Ban.inCode(
                    "assertTrue\\(\\s*true\\s*[,)]|assertThat\\(\\s*true\\s*\\)",
                    "assert something that can be wrong",
                    SourceFile::isTest));

    static final List<Ban> NAMES = List.of(
            Ban.inCode(
                    "\\b(class|interface|record|enum)\\s+(\\w*(Impl|Utils?|Helper|Manager)|(Abstract|Base|Default)([A-Z]\\w*)?)\\b",
                    "name the difference, as in SqliteEventStore",
                    SourceFile::isJava),
            Ban.inCode(
                    "^package\\s.*\\b(common|utils?|api|impl|internal)\\b.*",
                    "name the package after its idea",
                    SourceFile::isJava));

    static final List<Ban> WHITESPACE = List.of(
            Ban.inText("\\t.*", "a tab character; use spaces, or \\t inside a string", PROSE),
            Ban.inText("\\S*[ \\t]+$", "whitespace at the end of the line; remove it", PROSE));

    // Written in parts, so that this file does not break the rule.
    static final List<Ban> PLACES = List.of(
            Ban.inText(
                    "(?<![\\w.>})/-])/(home|Users|" + "root|work)/\\w+|[A-Z]:" + "\\\\Users\\\\",
                    "a path of one machine; use one relative to the repository",
                    file -> true),
            Ban.inText(
                    "distribution" + "Url|<(plugin)?[rR]eposito" + "r(y|ies)>|\\brepo1?\\.ma" + "ven|registry\\.np"
                            + "mjs" + "|deb\\.deb" + "ian",
                    "the address of a package host; leave it to the user's own settings",
                    file -> true));

    /** Circles of classes that have a reason, each as its sorted members. The list may only shrink. */
    static final Set<String> TOLERATED_CYCLES = Set.of(
            // A backoff offers its kinds by static methods, and each kind is a backoff. Without the circle, users would
            // have
            // to know a second type that creates backoffs.
            "Backoff CustomBackoff DelaysBackoff ExponentialBackoff FixedBackoff LinearBackoff",
            // A policy reads itself from settings and explains itself; settings name presets, and presets, schedule and
            // warnings are of policies. Passing the parts of a policy instead would take five parameters to each class.
            "PolicyConfig PolicyLint Presets RetryPolicy Schedule",
            // A report offers its renderings, and each rendering prints all parts of the report.
            "ReportHtml ReportJson ReportText RunReport");

    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "^\\s*public\\s+(?:\\w+[\\w-]*\\s+)*(?:class|interface|record|enum|@interface)\\s+(\\w+).*");
    private static final Pattern LINK = Pattern.compile("\\]\\(<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\)");

    private TidyRules() {}

    static List<String> longFiles(List<SourceFile> files) {
        List<String> found = new ArrayList<>();
        for (SourceFile file : files) {
            int limit = file.isMain() ? MAX_MAIN_LINES : file.isTest() ? MAX_TEST_LINES : Integer.MAX_VALUE;
            int length = file.lines().size();
            if (length > limit) {
                found.add(file.at(limit, length + " lines, at most " + limit + "; look for the second idea in it"));
            }
        }
        return found;
    }

    static List<String> publicTypesWithoutComment(List<SourceFile> files) {
        List<String> found = new ArrayList<>();
        for (SourceFile file : files) {
            if (file.isMain() && !file.isIn(UNPUBLISHED)) {
                publicTypesWithoutComment(file, found);
            }
        }
        return found;
    }

    private static void publicTypesWithoutComment(SourceFile file, List<String> found) {
        List<String> code = file.code();
        List<String> lines = file.lines();
        for (int i = 0; i < code.size(); i++) {
            Matcher type = PUBLIC_TYPE.matcher(code.get(i));
            if (type.matches() && !commented(lines, i)) {
                found.add(file.at(i, "public type " + type.group(1) + " has no Javadoc; say in a sentence what it is"));
            }
        }
    }

    /** Looks up past annotations: a comment ends before the next empty line. */
    private static boolean commented(List<String> lines, int declaration) {
        for (int i = declaration - 1; i >= 0 && !lines.get(i).isBlank(); i--) {
            if (lines.get(i).strip().endsWith("*/")) {
                return true;
            }
        }
        return false;
    }

    static List<String> brokenLinks(List<SourceFile> files, Predicate<String> exists) {
        List<String> found = new ArrayList<>();
        for (SourceFile file : files) {
            if (file.path().endsWith(".md")) {
                brokenLinks(file, exists, found);
            }
        }
        return found;
    }

    private static void brokenLinks(SourceFile file, Predicate<String> exists, List<String> found) {
        boolean fenced = false;
        List<String> lines = file.lines();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.strip().startsWith("```")) {
                fenced = !fenced;
            }
            Matcher link = LINK.matcher(fenced ? "" : line.replaceAll("`[^`]*`", ""));
            while (link.find()) {
                String target = link.group(1);
                if (isRelative(target) && !exists.test(resolve(file.path(), target))) {
                    found.add(file.at(i, "link to " + target + " leads nowhere; link to a file of this repository"));
                }
            }
        }
    }

    private static boolean isRelative(String target) {
        return !target.startsWith("#") && !target.matches("[a-zA-Z][a-zA-Z0-9+.-]*:.*");
    }

    private static String resolve(String from, String target) {
        String folder = from.contains("/") ? from.substring(0, from.lastIndexOf('/') + 1) : "";
        return folder + target.replaceFirst("[#?].*", "");
    }
}
