package io.redrive.operations;

import io.redrive.events.RedrivePlan;
import io.redrive.events.cause.ServiceVersion;
import java.util.List;
import java.util.Optional;

/** The command that a proposal asks for. */
public sealed interface ProposedCommand {

    /** Returns the kind of command. */
    Verb verb();

    /** Returns the ids of the letters that the command may change, in order; empty for a command about a cause. */
    List<Long> letters();

    /** Returns the command in words. */
    String describe();

    /**
     * Repairs payloads.
     *
     * @param letters the letters
     * @param selection the selection in words, as asked
     * @param expression the JSONata expression
     */
    record Repair(List<Long> letters, String selection, String expression) implements ProposedCommand {

        /** Copies the ids. */
        public Repair {
            letters = List.copyOf(letters);
        }

        @Override
        public Verb verb() {
            return Verb.REPAIR;
        }

        @Override
        public String describe() {
            return "repair " + count(letters) + " (" + selection + ") with " + expression;
        }
    }

    /**
     * Redrives letters.
     *
     * @param letters the letters
     * @param selection the selection in words, as asked
     * @param plan how the letters are sent
     * @param includesOvertaken true when overtaken letters are redriven too
     * @param includesRedacted true when letters with redacted parts are redriven too
     */
    record Redrive(
            List<Long> letters, String selection, RedrivePlan plan, boolean includesOvertaken, boolean includesRedacted)
            implements ProposedCommand {

        /** Copies the ids. */
        public Redrive {
            letters = List.copyOf(letters);
        }

        @Override
        public Verb verb() {
            return Verb.REDRIVE;
        }

        @Override
        public String describe() {
            String rate = plan.perSecond() > 0 ? ", at most " + plan.perSecond() + " a second" : "";
            String stages = plan.isCanary() ? ", as a canary of " + plan.stages() : ", all at once";
            return "redrive " + count(letters) + " (" + selection + ")" + stages + rate;
        }
    }

    /**
     * Calls a cause resolved.
     *
     * @param fingerprint the cause
     * @param fixedIn the version of the service with the fix; empty when the fix is not in the service
     */
    record Resolve(String fingerprint, Optional<ServiceVersion> fixedIn) implements ProposedCommand {

        @Override
        public Verb verb() {
            return Verb.RESOLVE;
        }

        @Override
        public List<Long> letters() {
            return List.of();
        }

        @Override
        public String describe() {
            return "resolve cause " + fingerprint
                    + fixedIn.map(version -> ", fixed in " + version.text()).orElse("");
        }
    }

    private static String count(List<Long> letters) {
        return letters.size() == 1 ? "1 letter" : letters.size() + " letters";
    }
}
