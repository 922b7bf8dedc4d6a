package io.redrive.events;

import java.util.List;
import java.util.Optional;

/**
 * The stored proposals: commands that an assistant or an operator asks for, and that wait for the approval of a person. A store
 * numbers proposals and keeps their content as a text; its meaning belongs to the module {@code operations}. A proposal is changed by
 * compare-and-set, so that of two decisions one counts. Thread-safe.
 */
public interface Proposals {

    /** The most open proposals. Callers that add at the same moment may exceed the limit by their number. */
    int MAX_OPEN = 100;
    /** The most proposals that a store keeps; beyond that, a new one removes the oldest ones that are not open. */
    int MAX_KEPT = 500;
    /** The longest content, in characters. */
    int MAX_CONTENT = 400_000;
    /** The most proposals of a page. */
    int MAX_PAGE = 100;

    /**
     * One proposal.
     *
     * @param number names the proposal; a number is never given twice
     * @param open true while the proposal waits for a decision
     * @param content the proposal as a text
     * @param version counts the changes of the proposal
     */
    record StoredProposal(long number, boolean open, String content, long version) {

        /** Refuses a content that no store can keep. */
        public StoredProposal {
            requireContent(content);
        }

        /** Returns this proposal with another content, to be written over this very version. */
        public StoredProposal with(boolean stillOpen, String newContent) {
            return new StoredProposal(number, stillOpen, newContent, version);
        }
    }

    /**
     * Stores an open proposal.
     *
     * @return the proposal with its number; empty, without a change, when {@link #MAX_OPEN} proposals are open
     */
    Optional<StoredProposal> add(String content);

    /** Returns the proposal with this number. */
    Optional<StoredProposal> find(long number);

    /**
     * Returns proposals, the newest first.
     *
     * @param openOnly leaves out proposals that are not open
     * @param before start before this number; {@link Long#MAX_VALUE} for the first page
     * @param limit the most proposals to return, up to {@link #MAX_PAGE}
     */
    List<StoredProposal> newest(boolean openOnly, long before, int limit);

    /**
     * Replaces the version of the proposal that the argument carries.
     *
     * @return false, without a change, when another caller was faster or the proposal is gone
     */
    boolean write(StoredProposal changed);

    /**
     * Checks a content, for implementations.
     *
     * @throws IllegalArgumentException when the content is too long or malformed
     */
    static String requireContent(String content) {
        if (content.length() > MAX_CONTENT || !Texts.isWellFormed(content)) {
            throw new IllegalArgumentException("the content of a proposal must be at most " + MAX_CONTENT
                    + " characters of well-formed text, got " + content.length());
        }
        return content;
    }

    /**
     * Checks the limit of a page, for implementations.
     *
     * @throws IllegalArgumentException when the limit is not between 1 and {@link #MAX_PAGE}
     */
    static int requireLimit(int limit) {
        return HandledSamples.requireLimit(limit, MAX_PAGE);
    }
}
