package io.redrive.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.PlaywrightException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** A real browser: the machine's Chromium or Chrome, else the one that Playwright downloads. */
final class Chromium implements AutoCloseable {

    private static final List<String> PLACES = List.of(
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome",
            "/usr/bin/google-chrome-stable");

    /** The build script reports the file at its end, so that nobody believes in tests that did not run. */
    private static final Path SKIPPED = Path.of("target", "browser-tests-skipped");

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /** Starts the browser. Without any browser, the tests of the calling class are skipped and the build says so. */
    static Chromium start() {
        Optional<String> place = PLACES.stream()
                .filter(each -> Files.isExecutable(Path.of(each)))
                .findFirst();
        try {
            Playwright playwright = Playwright.create(new Playwright.CreateOptions()
                    .setEnv(place.isPresent() ? Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1") : Map.of()));
            BrowserType.LaunchOptions options = new BrowserType.LaunchOptions().setArgs(List.of("--no-sandbox"));
            place.map(Path::of).ifPresent(options::setExecutablePath);
            return new Chromium(playwright, playwright.chromium().launch(options));
        } catch (PlaywrightException e) {
            note("no browser could be started: " + e.getMessage());
            return Assumptions.abort("no browser could be started");
        }
    }

    private static void note(String why) {
        try {
            Files.createDirectories(SKIPPED.getParent());
            Files.writeString(SKIPPED, why);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Passes the login of the shop. */
    static void signIn(Page page, String url, String user) {
        page.navigate(url + "/login");
        page.fill("[name=username]", user);
        page.fill("[name=password]", Shop.PASSWORD);
        page.click("button[type=submit]");
    }

    Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
