package io.redrive.pipelinefiles;

/** A value breaks a rule. The message is the rule alone; the reader of the file adds place and value. */
final class RuleException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    RuleException(String rule) {
        super(rule);
    }

    RuleException(String rule, Throwable cause) {
        super(rule, cause);
    }
}
