package io.redrive.console;

import io.redrive.events.cause.CausePlace;
import io.redrive.events.cause.CauseStatus;
import io.redrive.operations.CauseFilter;
import io.redrive.operations.CauseList;
import io.redrive.operations.CauseView;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.springframework.web.servlet.function.ServerResponse;

/** The inbox of causes: which failures need somebody. */
final class CausesPage {

    private static final int PAGE = 50;
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
     * @param causes the causes of this page of the tab
     * @param next the link to the next page; empty on the last
     * @param first true for the first page
     */
    record View(String show, List<CauseView> causes, String next, boolean first) {

        /** Returns the first line of the page. */
        String inWords() {
            if (causes.isEmpty()) {
                return (first && next.isEmpty() ? "No cause" : "No further cause") + what(1) + ".";
            }
            if (!first || !next.isEmpty()) {
                return Format.counted(causes.size(), (first ? "latest" : "earlier") + " cause") + what(causes.size())
                        + ".";
            }
            long letters = causes.stream().mapToLong(CauseView::letters).sum();
            return Format.counted(causes.size(), "cause") + what(causes.size())
                    + (letters > 0 ? ", " + Format.counted(letters, "letter") : "") + ".";
        }

        private String what(int number) {
            return switch (show) {
                case "open" -> number == 1 ? " needs somebody" : " need somebody";
                case "mine" -> " assigned to you";
                case "assigned" -> " with an owner";
                case "regressed" -> " came back after a fix";
                case "ignored" -> " ignored";
                case "resolved" -> " resolved";
                default -> "";
            };
        }
    }

    private final Renderer renderer;

    CausesPage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse show(Visit visit) {
        String show = visit.param("show").isEmpty() ? "open" : visit.param("show");
        String behind = visit.param("behind");
        CauseList list = visit.operations()
                .causes()
                .list(
                        tab(show, visit.operator().name()),
                        behind.isEmpty() ? CausePlace.START : CausePlace.parse(behind),
                        PAGE);
        Query tab = Query.NONE.plus("show", show);
        String next = list.next()
                .map(place -> visit.url("/causes", tab.plus("behind", place.text())))
                .orElse("");
        return renderer.html(visit, "causes", new View(show, list.causes(), next, behind.isEmpty()));
    }

    private static CauseFilter tab(String show, String operator) {
        return switch (show) {
            case "open" -> of(CauseStatus.OPEN, CauseStatus.REGRESSED);
            case "mine" -> new CauseFilter(CauseFilter.ALL.states(), Optional.of(operator));
            case "assigned" -> of(CauseStatus.ASSIGNED);
            case "regressed" -> of(CauseStatus.REGRESSED);
            case "ignored" -> of(CauseStatus.IGNORED);
            case "resolved" -> of(CauseStatus.RESOLVED);
            case "all" -> CauseFilter.ALL;
            default ->
                throw Refusal.missing("No list of causes is called " + Format.brief(show, 40) + ".", "Choose a tab.");
        };
    }

    private static CauseFilter of(CauseStatus... states) {
        return new CauseFilter(Set.of(states), Optional.empty());
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
