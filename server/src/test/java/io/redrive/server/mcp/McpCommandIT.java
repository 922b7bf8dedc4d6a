package io.redrive.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema;
import io.redrive.jdbc.SqliteStore;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Proposal;
import io.redrive.operations.Role;
import io.redrive.server.DeadLetterSeed;
import io.redrive.server.command.RedriveServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** A client of the SDK starts {@code redrive mcp} as a process and talks to it over standard input and output. */
final class McpCommandIT {

    @TempDir
    Path folder;

    @Test
    void an_assistant_reads_and_proposes_over_standard_input_and_output() throws Exception {
        Path file = folder.resolve("events.db");
        try (DeadLetterSeed seed = new DeadLetterSeed(file)) {
            seed.die("a", "{\"n\":1,\"card\":\"4111\"}", "refused");
        }
        Path config = Files.writeString(folder.resolve("redrive.yml"), "redaction:\n  rules: [\"/card\"]\n");
        ServerParameters process = ServerParameters.builder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .args(
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RedriveServer.class.getName(),
                        "mcp",
                        "--store",
                        file.toString(),
                        "--config",
                        config.toString(),
                        "--name",
                        "claude")
                .build();
        try (McpSyncClient client = McpClient.sync(new StdioClientTransport(process, McpJsonDefaults.getMapper()))
                .requestTimeout(Duration.ofSeconds(60))
                .initializationTimeout(Duration.ofSeconds(60))
                .build()) {
            client.initialize();
            assertThat(client.listTools().tools()).hasSize(20);
            assertThat(data(client, "show_letter", Map.of("letter", 1))
                            .path("payload")
                            .asString())
                    .isEqualTo("{\"n\":1,\"card\":\"[redacted]\"}");
            JsonNode asked = data(
                    client,
                    "propose_repair",
                    Map.of("ids", List.of(1), "expression", "$ ~> |$|{\"n\": 2}|", "why", "two"));
            assertThat(asked.path("state").asString()).isEqualTo("open");
        }
        try (SqliteStore store = SqliteStore.open(file)) {
            Proposal asked = Operations.of(store, Operator.named("ann", Role.OPERATOR))
                    .proposals()
                    .approve(1);
            assertThat(asked.proposer().name()).isEqualTo("claude");
            assertThat(asked.proposer().role()).isEqualTo(Role.ASSISTANT);
            assertThat(store.deadLetters().find(1).orElseThrow().event().text())
                    .isEqualTo("{\"n\":2,\"card\":\"4111\"}");
        }
    }

    private static JsonNode data(McpSyncClient client, String tool, Map<String, Object> arguments) {
        McpSchema.CallToolResult result = client.callTool(
                McpSchema.CallToolRequest.builder(tool).arguments(arguments).build());
        return MarkedDataTest.data(((McpSchema.TextContent) result.content().get(0)).text());
    }

    @Test
    void a_store_that_does_not_exist_is_refused_and_not_made() {
        StringWriter err = new StringWriter();
        CommandLine command = RedriveServer.commandLine(Map.of()).setErr(new PrintWriter(err));
        Path missing = folder.resolve("none.db");
        assertThat(command.execute("mcp", "--store", missing.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("--store must name a store that exists, got " + missing);
        assertThat(missing).doesNotExist();
    }
}
