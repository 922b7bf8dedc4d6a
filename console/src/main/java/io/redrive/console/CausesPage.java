package io.redrive.console;

import io.redrive.events.cause.CauseStatus;
import io.redrive.operations.CauseView;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.springframework.web.servlet.function.ServerResponse;

/** The inbox of causes: which failures need somebody. */
final class CausesPage {

    private static final int LATEST = 100;
    private static final int DAYS = 14;

    /** The tabs in order: the address's word, and the title. */
    static final List<Map.Entry<String, String>> TABS = List.of(
            Map.entry("open", "Need somebody"),
            Map.entry("mine", "Mine"),
            Map.entry("assigned", "Assigned"),
            Map.entry("regressed", "Came back"),
            Map.entry("ignored", "Ignored"),
            Map.entry("resolved", "Resolved"),
            Map.entry("all", "All"));

    /**
     * The facts of the page.
     *
     * @param show the chosen tab
     * @param causes the causes of the tab
     * @param all the number of causes that were looked at
     */
    record View(String show, List<CauseView> causes, int all) {

        /** Returns the first line of the page. */
        String inWords() {
            long letters = causes.stream().mapToLong(CauseView::letters).sum();
            String number = causes.size() == 1 ? "1 cause" : Format.number(causes.size()) + " causes";
            String what = switch (show) {
                case "open" -> causes.size() == 1 ? " needs somebody" : " need somebody";
                case "mine" -> " assigned to you";
                case "assigned" -> " with an owner";
                case "regressed" -> " came back after a fix";
                case "ignored" -> " ignored";
                case "resolved" -> " resolved";
                default -> "";
            };
            return (causes.isEmpty() ? "No cause" + what.replace(" need ", " needs ") : number + what)
                    + (letters > 0 ? ", " + Format.counted(letters, "letter") : "") + ".";
        }

        boolean isCut() {
            return all >= LATEST;
        }
    }

    private final Renderer renderer;

    CausesPage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse show(Visit visit) {
        String show = visit.param("show").isEmpty() ? "open" : visit.param("show");
        Predicate<CauseView> wanted = tab(show, visit.operator().name());
        List<CauseView> all = visit.operations().causes().latest(LATEST);
        View view = new View(show, all.stream().filter(wanted).toList(), all.size());
        return renderer.html(visit, "causes", view);
    }

    private static Predicate<CauseView> tab(String show, String operator) {
        return switch (show) {
            case "open" -> cause -> cause.status() == CauseStatus.OPEN || cause.status() == CauseStatus.REGRESSED;
            case "mine" -> cause -> cause.cause().care().owner().equals(operator);
            case "assigned" -> cause -> cause.status() == CauseStatus.ASSIGNED;
            case "regressed" -> cause -> cause.status() == CauseStatus.REGRESSED;
            case "ignored" -> cause -> cause.status() == CauseStatus.IGNORED;
            case "resolved" -> cause -> cause.status() == CauseStatus.RESOLVED;
            case "all" -> cause -> true;
            default ->
                throw Refusal.missing("No list of causes is called " + Format.brief(show, 40) + ".", "Choose a tab.");
        };
    }

    /** Returns the letters of the last days, the oldest day first. */
    static List<Long> days(Visit visit, CauseView cause) {
        SortedMap<LocalDate, Long> perDay = cause.cause().perDay();
        LocalDate today = visit.now().atZone(ZoneOffset.UTC).toLocalDate();
        List<Long> days = new ArrayList<>();
        for (int back = DAYS - 1; back >= 0; back--) {
            days.add(perDay.getOrDefault(today.minusDays(back), 0L));
        }
        return days;
    }

    /** Returns the class of a status in the stylesheet. */
    static String style(CauseStatus status) {
        return switch (status) {
            case OPEN -> "badge warn";
            case REGRESSED -> "badge bad";
            case ASSIGNED -> "badge act";
            case RESOLVED -> "badge good";
            case IGNORED -> "badge";
        };
    }
}
