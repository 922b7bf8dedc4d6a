package io.redrive.server.http;

import io.redrive.operations.NameDifferences;
import io.redrive.operations.difference.Difference;
import io.redrive.operations.difference.Share;

/** Comparisons of letters with handled events. */
final class DifferenceView {

    private DifferenceView() {}

    static Answer of(NameDifferences compared) {
        return new Answer()
                .put("name", compared.name())
                .put("letters", compared.letters())
                .put("died_from", compared.died().from())
                .put("died_until", compared.died().until())
                .put("handled", compared.handled())
                .put("handled_from", compared.sampled().map(NameDifferences.Period::from))
                .put("handled_until", compared.sampled().map(NameDifferences.Period::until))
                .put("handled_lately", compared.handledLately())
                .put("enough", compared.enough())
                .put(
                        "differences",
                        compared.differences().stream().map(DifferenceView::of).toList());
    }

    private static Answer of(Difference difference) {
        return new Answer()
                .put("subject", difference.subject().kind().code())
                .put("of", difference.subject().name())
                .put("trait", difference.trait().kind().code())
                .put("value", difference.trait().value())
                .put("letters", of(difference.letters()))
                .put("handled", of(difference.handled()))
                .put("sentence", difference.sentence());
    }

    private static Answer of(Share share) {
        return new Answer().put("having", share.having()).put("of", share.of()).put("unknown", share.unknown());
    }
}
