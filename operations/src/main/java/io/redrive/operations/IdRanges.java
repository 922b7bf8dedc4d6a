package io.redrive.operations;

import java.util.ArrayList;
import java.util.List;

/** Ids in ascending order as a text, such as {@code 3-7,12}: letters of one incident have ids next to each other. */
final class IdRanges {

    private IdRanges() {}

    static String write(List<Long> ids) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ids.size(); i++) {
            int end = i;
            while (end + 1 < ids.size() && ids.get(end + 1) == ids.get(end) + 1) {
                end++;
            }
            text.append(text.isEmpty() ? "" : ",").append(ids.get(i));
            if (end > i) {
                text.append('-').append(ids.get(end));
            }
            i = end;
        }
        return text.toString();
    }

    static List<Long> read(String text) {
        List<Long> ids = new ArrayList<>();
        for (String range : text.isEmpty() ? new String[0] : text.split(",")) {
            int dash = range.indexOf('-');
            long first = Long.parseLong(dash < 0 ? range : range.substring(0, dash));
            long last = dash < 0 ? first : Long.parseLong(range.substring(dash + 1));
            for (long id = first; id <= last; id++) {
                ids.add(id);
            }
        }
        return ids;
    }
}
