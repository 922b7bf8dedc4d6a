package io.redrive.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules about shape and prose can fail: each is shown a breach, and a good sample close to it. */
final class ShapeAndWordsTest {
    private static final String FOLDER = "core/src/main/java/io/redrive/core/";
    private static final String MAIN = FOLDER + "Sample.java";

    @Test
    void a_long_method_is_found_where_it_begins() {
        assertThat(Shape.longMethods(sample(MAIN, type("void a() {\n" + "a();\n".repeat(48) + "}"))))
                .isEmpty();
        assertThat(Shape.longMethods(sample(MAIN, type("void a() {\n" + "a();\n".repeat(49) + "}"))))
                .singleElement()
                .asString()
                .startsWith(MAIN + ":2 a method of 51 lines, at most 50");
    }

    @Test
    void a_long_type_with_short_methods_is_no_long_method() {
        String methods = "void a() {\nif (b) {\n}\n}\n".repeat(40);
        assertThat(Shape.longMethods(sample(MAIN, type("record B(int c) {\n" + methods + "}"))))
                .isEmpty();
    }

    @Test
    void a_public_name_in_two_modules_is_found() {
        List<SourceFile> files = List.of(
                new SourceFile(MAIN, "public final class Sample {}"),
                new SourceFile("items/src/main/java/io/redrive/items/Sample.java", "public record Sample() {}"));
        assertThat(Shape.publicNamesUsedTwice(files))
                .singleElement()
                .asString()
                .startsWith("items/src/main/java/io/redrive/items/Sample.java:1 public type Sample exists in " + MAIN);
        SourceFile hidden = new SourceFile(files.get(1).path(), "record Sample() {}");
        assertThat(Shape.publicNamesUsedTwice(List.of(files.get(0), hidden))).isEmpty();
    }

    @Test
    void a_circle_of_four_classes_is_found_and_one_of_three_is_not() {
        assertThat(Shape.cycles(circle("A", "B", "C"), Set.of())).isEmpty();
        assertThat(Shape.cycles(circle("A", "B", "C", "D"), Set.of()))
                .singleElement()
                .asString()
                .contains("4 classes use each other", "A B C D");
        assertThat(Shape.cycles(circle("A", "B", "C", "D"), Set.of("A B C D"))).isEmpty();
    }

    @Test
    void packages_that_import_each_other_are_found() {
        SourceFile a =
                new SourceFile(FOLDER + "A.java", "package io.redrive.core;\nimport io.redrive.core.b.B;\nclass A {}");
        SourceFile b = new SourceFile(FOLDER + "b/B.java", "package io.redrive.core.b;\nclass B {}");
        SourceFile back = new SourceFile(
                FOLDER + "b/C.java", "package io.redrive.core.b;\nimport static io.redrive.core.A.x;\nclass C {}");
        assertThat(Shape.packageCycles(List.of(a, b))).isEmpty();
        assertThat(Shape.packageCycles(List.of(a, b, back)))
                .singleElement()
                .asString()
                .contains("io.redrive.core io.redrive.core.b");
    }

    @Test
    void vague_comments_of_a_module_are_found_with_their_place() {
        String vague = "/** What those before left goes first, so that it is theirs. */\nclass A {}";
        String clear = "/** Claims stored samples before reading more samples from the source. */\nclass A {}";
        assertThat(Words.vagueModules(sample(MAIN, vague)))
                .singleElement()
                .asString()
                .startsWith("core: ")
                .contains(MAIN + ":1");
        assertThat(Words.vagueModules(sample(MAIN, clear))).isEmpty();
    }

    @Test
    void a_module_without_a_glossary_is_found() {
        SourceFile plain = new SourceFile(FOLDER + "package-info.java", "/** Retries. */\npackage io.redrive.core;");
        SourceFile glossary = new SourceFile(
                FOLDER + "package-info.java", "/** <dl><dt>attempt<dd>One call.</dl> */\npackage io.redrive.core;");
        assertThat(Words.modulesWithoutGlossary(List.of("core"), List.of(plain)))
                .singleElement()
                .asString()
                .startsWith("core: no package-info has a glossary");
        assertThat(Words.modulesWithoutGlossary(List.of("core"), List.of(glossary)))
                .isEmpty();
    }

    private static String type(String body) {
        return "class A {\n" + body + "\n}";
    }

    private static List<SourceFile> circle(String... names) {
        List<SourceFile> files = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            String next = names[(i + 1) % names.length];
            files.add(new SourceFile(FOLDER + names[i] + ".java", "class " + names[i] + " { " + next + " next; }"));
        }
        return files;
    }

    private static List<SourceFile> sample(String path, String text) {
        return List.of(new SourceFile(path, text));
    }
}
