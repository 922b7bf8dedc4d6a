package io.redrive.console;

/** The parts of the console in the order of its navigation. */
enum Section {
    OVERVIEW("Overview", "/"),
    CAUSES("Causes", "/causes"),
    LETTERS("Dead letters", "/letters"),
    OPERATIONS("Operations", "/operations"),
    EVENTS("Events", "/events"),
    RUNS("Runs", "/runs"),
    KAFKA("Kafka", "/kafka"),
    PAUSES("Pauses", "/pauses"),
    POLICIES("Policies", "/policies"),
    WEBHOOKS("Webhooks", "/webhooks"),
    RECORD("Record", "/record"),
    ACCESS("Access", "/access");

    private final String title;
    private final String path;

    Section(String title, String path) {
        this.title = title;
        this.path = path;
    }

    String title() {
        return title;
    }

    String path() {
        return path;
    }
}
