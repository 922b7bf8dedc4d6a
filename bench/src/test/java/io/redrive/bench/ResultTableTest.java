package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ResultTableTest {

    @Test
    void a_table_has_a_column_for_each_peer_and_a_dash_for_what_is_missing() {
        Measured success = new Measured("ns/op", 1.234, Map.of("spring", 38.04), 1.0);
        Measured waiting = new Measured("bytes/call", 123456.7, Map.of("failsafe", 512.4), null);

        String table = ResultTable.of(List.of(
                BenchResult.judged("retry", "success", success, Target.atMostBestPeerTimes(0.01)),
                BenchResult.plain("retry", "waiting", waiting)));

        assertThat(table).isEqualTo("""
                        | case    | metric     | ours    | spring | failsafe | limit | target                       | met |
                        | ------- | ---------- | ------- | ------ | -------- | ----- | ---------------------------- | --- |
                        | success | ns/op      | 1.23    | 38.0   | -        | 1     | at most 0.01 x the best peer | NO  |
                        | waiting | bytes/call | 123,457 | -      | 512      | -     | -                            | -   |
                        """);
    }
}
