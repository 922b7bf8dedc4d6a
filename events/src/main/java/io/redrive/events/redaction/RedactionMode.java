package io.redrive.events.redaction;

/** When the rules of a {@link Redaction} apply. */
public enum RedactionMode {
    /** Before letters, groups, exports and generated tests are shown; the store keeps all values. */
    SHOWN,
    /** Also before letters and error texts are stored. A letter without its secrets is marked, and redrives leave it out. */
    STORED
}
