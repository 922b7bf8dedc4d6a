package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Progress as metadata of a commit. */
final class ProgressTest {

    @Test
    void progress_survives_its_metadata() {
        Progress progress = Progress.at(1_000_000_000_000L);
        progress.finished().add(1_000_000_000_003L);
        progress.finished().add(1_000_000_000_000L + Progress.SPAN - 1);
        progress.failed().put(1_000_000_000_001L, 4);
        progress.announced().add(1_000_000_000_000L);
        progress.announced().add(1_000_000_000_000L + Progress.SPAN - 2);
        assertThat(Progress.read(1_000_000_000_000L, progress.metadata())).isEqualTo(progress);
        assertThat(Progress.isOurs(progress.metadata())).isTrue();
        assertThat(Progress.read(5, Progress.at(5).metadata())).isEqualTo(Progress.at(5));
    }

    @Test
    void the_worst_pattern_of_finished_offsets_fits_and_failures_give_way() {
        Random random = new Random(17);
        Progress progress = Progress.at(0);
        for (long offset = 0; offset < Progress.SPAN; offset++) {
            if (random.nextBoolean()) {
                progress.finished().add(offset);
            } else {
                progress.failed().put(offset, random.nextInt(1_000));
            }
        }
        while (progress.announced().size() < Announcements.MOST) {
            progress.announced().add((long) random.nextInt(Progress.SPAN));
        }
        String metadata = progress.metadata();
        assertThat(metadata.length()).isLessThanOrEqualTo(Progress.MAX_METADATA);
        Progress read = Progress.read(0, metadata);
        assertThat(read.finished()).isEqualTo(progress.finished());
        assertThat(read.announced()).isEqualTo(progress.announced());
        assertThat(read.failed())
                .isNotEmpty()
                .isEqualTo(progress.failed().headMap(read.failed().lastKey(), true));
    }

    @Test
    void metadata_that_is_cut_garbled_or_of_another_offset_says_nothing() {
        Progress progress = Progress.at(7);
        for (long offset = 8; offset < 3_000; offset += 3) {
            progress.finished().add(offset);
        }
        String metadata = progress.metadata();
        for (int length = 0; length < metadata.length(); length++) {
            Progress read = Progress.read(7, metadata.substring(0, length));
            // The last characters are a sum that repeats what the others say.
            assertThat(read.equals(Progress.at(7)) || length > metadata.length() - 8 && read.equals(progress))
                    .as("metadata cut at " + length + " of " + metadata.length())
                    .isTrue();
        }
        assertThat(Progress.read(8, metadata)).isEqualTo(Progress.at(8));
        assertThat(Progress.read(7, "")).isEqualTo(Progress.at(7));
        assertThat(Progress.isOurs("")).isFalse();
        assertThat(Progress.isOurs("moved by kafka-consumer-groups.sh")).isFalse();
    }

    @Test
    void flipped_characters_never_invent_a_finished_offset() {
        Progress progress = Progress.at(7);
        progress.finished().add(9L);
        String metadata = progress.metadata();
        Random random = new Random(3);
        for (int i = 0; i < 2_000; i++) {
            char[] characters = metadata.toCharArray();
            characters[random.nextInt(characters.length)] = (char) ('0' + random.nextInt(75));
            assertThat(Progress.read(7, new String(characters))).isIn(progress, Progress.at(7));
        }
    }
}
