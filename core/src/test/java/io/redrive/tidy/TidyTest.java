package io.redrive.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Keeps the whole repository tidy, not only this module. The rules are in {@link TidyRules} and {@link Modules}. */
final class TidyTest {
    private static Repository repository;

    @BeforeAll
    static void read() {
        repository = Repository.find();
    }

    @Test
    void modules_depend_only_in_the_allowed_directions() {
        clean(inEachModule(Modules::wrongDirections));
    }

    @Test
    void modules_are_named_after_their_folder() {
        clean(inEachModule(Modules::wrongNames));
    }

    @Test
    void core_has_no_dependencies() {
        clean(Modules.dependenciesOfCore(repository.file("core/pom.xml").orElseThrow()));
    }

    @Test
    void every_module_has_a_row_in_the_architecture() {
        Optional<SourceFile> architecture = repository.file("ARCHITECTURE.md");
        architecture.ifPresent(file -> clean(Modules.missingRows(modules(), file)));
    }

    @Test
    void the_bom_lists_each_published_module_with_the_version_of_the_parent() {
        List<SourceFile> poms = modules().stream()
                .map(module -> repository.file(module + "/pom.xml").orElseThrow())
                .toList();
        SourceFile parent = repository.file("pom.xml").orElseThrow();
        clean(Modules.missingInBom(poms, parent, repository.file("bom/pom.xml").orElseThrow()));
    }

    @Test
    void time_chance_and_printing_go_through_their_seams() {
        clean(Ban.violations(TidyRules.CALLS_IN_MAIN, repository.files()));
    }

    @Test
    void tests_do_not_sleep_hide_or_pretend() {
        clean(Ban.violations(TidyRules.CALLS_IN_TESTS, repository.files()));
    }

    @Test
    void names_say_the_difference() {
        clean(Ban.violations(TidyRules.NAMES, repository.files()));
    }

    @Test
    void files_hold_one_idea() {
        clean(TidyRules.longFiles(repository.files()));
    }

    @Test
    void public_types_have_a_comment() {
        clean(TidyRules.publicTypesWithoutComment(repository.files()));
    }

    @Test
    void methods_hold_one_idea() {
        clean(Shape.longMethods(repository.files()));
    }

    @Test
    void no_two_public_types_share_a_name() {
        clean(Shape.publicNamesUsedTwice(repository.files()));
    }

    @Test
    void classes_of_a_package_do_not_use_each_other_in_large_circles() {
        clean(Shape.cycles(repository.files(), TidyRules.TOLERATED_CYCLES));
    }

    @Test
    void packages_do_not_import_each_other_in_circles() {
        clean(Shape.packageCycles(repository.files()));
    }

    @Test
    void comments_name_their_nouns() {
        clean(Words.vagueModules(repository.files()));
    }

    @Test
    void every_module_defines_its_nouns() {
        clean(Words.modulesWithoutGlossary(modules(), repository.files()));
    }

    @Test
    void text_has_no_tabs_and_no_trailing_whitespace() {
        clean(Ban.violations(TidyRules.WHITESPACE, repository.files()));
    }

    @Test
    void nothing_names_one_machine_or_a_package_host() {
        clean(Ban.violations(TidyRules.PLACES, repository.files()));
    }

    @Test
    void links_in_documents_lead_somewhere() {
        clean(TidyRules.brokenLinks(repository.files(), repository::exists));
    }

    private static List<String> modules() {
        return Modules.listedIn(repository.file("pom.xml").orElseThrow());
    }

    private static List<String> inEachModule(Function<SourceFile, List<String>> rule) {
        return modules().stream()
                .map(module -> repository.file(module + "/pom.xml").orElseThrow())
                .flatMap(pom -> rule.apply(pom).stream())
                .toList();
    }

    private static void clean(List<String> violations) {
        assertThat(violations)
                .withFailMessage(() -> violations.size() + " found:\n" + String.join("\n", violations))
                .isEmpty();
    }
}
