package io.redrive.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The options of a run, by name. */
record Options(Map<String, String> given) {

    /** Every suite has it. */
    static final Option QUICK = Option.flag("--quick", "short and rough, to see that it works");

    /** Suites with many independent cases have it. */
    static final String CASE = "--case";

    /** Suites that measure each store by itself have it. */
    static final String STORE = "--store";

    Options {
        given = Map.copyOf(given);
    }

    /**
     * An option a suite takes; a flag has no {@code argument}, an option with {@code choices} takes some of them, and a number is at
     * least {@code least}.
     */
    record Option(String name, String argument, String about, List<String> choices, int least) {
        static Option flag(String name, String about) {
            return new Option(name, "", about, List.of(), 0);
        }

        static Option number(String name, String about) {
            return number(name, 1, about);
        }

        static Option number(String name, int least, String about) {
            return new Option(name, "N", about, List.of(), least);
        }

        /** The option that chooses cases of a suite. */
        static Option cases(List<String> names) {
            return new Option(CASE, "NAME,…", "only these cases: " + String.join(", ", names), names, 0);
        }

        /** The option that chooses stores of a suite. */
        static Option stores(List<String> names) {
            return new Option(STORE, "NAME,…", "only these stores: " + String.join(", ", names), names, 0);
        }

        boolean isFlag() {
            return argument.isEmpty();
        }

        String usage() {
            return isFlag() ? name : name + " " + argument;
        }
    }

    boolean quick() {
        return has(QUICK);
    }

    boolean has(Option option) {
        return given.containsKey(option.name());
    }

    /** The number given, or {@code otherwise}. */
    int number(Option option, int otherwise) {
        return has(option) ? Integer.parseInt(given.get(option.name())) : otherwise;
    }

    /** Returns true when only some cases are wanted. */
    boolean choosesCases() {
        return given.containsKey(CASE);
    }

    /** Returns true for each case unless cases were chosen. */
    boolean wants(String caseName) {
        return wants(CASE, caseName);
    }

    /** Returns true for each store unless stores were chosen. */
    boolean wantsStore(String store) {
        return wants(STORE, store);
    }

    private boolean wants(String option, String value) {
        return !given.containsKey(option)
                || List.of(given.get(option).split(",")).contains(value);
    }

    static Options parse(List<Option> known, List<String> args) {
        List<Option> all = new ArrayList<>(known);
        all.add(QUICK);
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < args.size(); i++) {
            Option option = find(all, args.get(i));
            String value = "";
            if (!option.isFlag()) {
                i++;
                String argument = i < args.size() ? args.get(i) : "nothing";
                value = option.choices().isEmpty() ? positive(option, argument) : chosen(option, argument);
            }
            given.put(option.name(), value);
        }
        return new Options(given);
    }

    private static Option find(List<Option> all, String name) {
        return all.stream()
                .filter(option -> option.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no option '" + name + "'; there is "
                        + all.stream().map(Option::usage).collect(Collectors.joining(", "))));
    }

    private static String chosen(Option option, String value) {
        for (String choice : value.split(",", -1)) {
            if (!option.choices().contains(choice)) {
                throw new IllegalArgumentException(
                        option.name() + ": no " + option.name().substring(2) + " '" + choice + "'; there is "
                                + String.join(", ", option.choices()));
            }
        }
        return value;
    }

    private static String positive(Option option, String value) {
        if (!value.matches("[1-9]\\d{0,8}") || Integer.parseInt(value) < option.least()) {
            throw new IllegalArgumentException(
                    option.name() + " must be a whole number from " + option.least() + " on, got " + value);
        }
        return value;
    }
}
