package io.redrive.console;

import io.redrive.operations.Accounts;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.RouteOperations;
import io.redrive.operations.RunOperations;
import io.redrive.operations.StoredOperations;
import io.redrive.operations.Verb;
import io.redrive.operations.WebhookRoutes;
import io.redrive.pipeline.EventPolicies;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.util.MultiValueMap;
import org.springframework.web.servlet.function.ServerRequest;

/** One request of one operator: the operations, the time and the links of the pages. */
final class Visit {

    private final ServerRequest request;
    private final String base;
    private final Assets assets;
    private final StoredOperations operations;
    private final Instant now;
    private final FormToken token;
    private final Map<String, String> applicationFields;
    private final Optional<String> notice;
    private final Optional<WebhookRoutes> routes;
    private final Mount mount;
    private final boolean hasRuns;
    private final boolean hasFlows;
    private final String storeAddress;
    private final boolean streams;

    Visit(ServerRequest request, Mount mount, StoredOperations operations, Instant now, boolean hasFlows) {
        this.request = request;
        this.mount = mount;
        HttpServletRequest servlet = request.servletRequest();
        base = servlet.getContextPath() + mount.prefix();
        assets = mount.assets();
        this.operations = operations;
        this.now = now;
        token = FormToken.of(servlet);
        applicationFields = mount.applicationFields(servlet);
        routes = Optional.ofNullable(mount.routes().get());
        this.hasFlows = hasFlows;
        hasRuns = mount.runs().get() != null;
        storeAddress = mount.storeAddress();
        streams = mount.streams();
        notice = isLive() ? Optional.empty() : Notice.in(servlet);
    }

    Operations operations() {
        return operations;
    }

    Operator operator() {
        return operations.operator();
    }

    /** Returns the routes of webhooks; empty where the application serves none. */
    Optional<RouteOperations> routes() {
        return routes.map(each -> operations.withRoutes(each).routes());
    }

    /** Returns the retry policies that this process was started with. */
    EventPolicies policies() {
        return mount.policies().get();
    }

    /** Returns the users of this process; empty where the application has a login of its own. */
    Optional<Accounts> accounts() {
        return Optional.ofNullable(mount.accounts().get());
    }

    /** Returns the path that ends the operator's session; empty where there is no session to end. */
    Optional<String> signOut() {
        return mount.signOut().apply(servlet()).map(path -> servlet().getContextPath() + path);
    }

    /** Returns the item runs; empty where the application has none. */
    Optional<RunOperations> runs() {
        return hasRuns ? Optional.of(operations.runs()) : Optional.empty();
    }

    /** Returns the address of the store for a command line. */
    String storeAddress() {
        return storeAddress;
    }

    /** Returns the address of the stream of live updates; empty when there is none. */
    String stream() {
        return streams ? url("/stream") : "";
    }

    /** Returns when a live part is fetched: when the server's stream tells of a change, and by itself where the stream is silent. */
    String live(boolean busy) {
        return busy ? "every 1s, refresh" : "every 5s, refresh";
    }

    /** Returns the sections that this application has. */
    List<Section> sections() {
        return Arrays.stream(Section.values())
                .filter(section -> section != Section.WEBHOOKS || routes.isPresent())
                .filter(section -> section != Section.RUNS || hasRuns)
                .filter(section -> section != Section.KAFKA || hasFlows)
                .toList();
    }

    Instant now() {
        return now;
    }

    HttpServletRequest servlet() {
        return request.servletRequest();
    }

    /** Returns true when the browser fetches the live part of a page again. */
    boolean isLive() {
        return request.servletRequest().getHeader("HX-Request") != null;
    }

    FormToken token() {
        return token;
    }

    Optional<String> notice() {
        return notice;
    }

    MultiValueMap<String, String> params() {
        return request.params();
    }

    /** Returns the value of a parameter without spaces around it; empty when the request does not have it. */
    String param(String name) {
        return request.param(name).map(String::strip).orElse("");
    }

    /** Returns the value of a parameter exactly as sent; empty when the request does not have it. */
    String exactParam(String name) {
        return request.param(name).orElse("");
    }

    List<String> all(String name) {
        return request.params().getOrDefault(name, List.of());
    }

    String path(String variable) {
        return request.pathVariable(variable);
    }

    /** Returns the mount path, for cookies: never empty. */
    String root() {
        return base.isEmpty() ? "/" : base;
    }

    /** Returns the address of a page. */
    String url(String path) {
        return path.equals("/") ? root() : base + path;
    }

    String url(String path, Query query) {
        return url(path) + query;
    }

    /** Returns the address of a cause. */
    String cause(String fingerprint) {
        return url("/cause", Query.NONE.plus("cause", fingerprint));
    }

    /** Returns the address of this request, with its query. */
    String here() {
        String query = servlet().getQueryString();
        return servlet().getRequestURI() + (query == null ? "" : "?" + query);
    }

    String asset(String name) {
        return base + assets.path(name);
    }

    /** Returns the hidden fields of each form: the console's token, and the application's. */
    Map<String, String> formFields() {
        Map<String, String> fields = new LinkedHashMap<>(applicationFields);
        fields.put(FormToken.FIELD, token.text());
        return fields;
    }

    boolean may(Verb verb) {
        return operator().role().includes(verb.least());
    }

    /** Returns why a button is disabled; empty when the operator may give the command. */
    String whyNot(Verb verb) {
        return may(verb)
                ? ""
                : "needs the role " + verb.least().code() + "; you are "
                        + operator().role().code();
    }

    String ago(Instant time) {
        return Format.ago(time, now);
    }
}
