package io.redrive.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.server.webhook.http.AddressGuard;
import io.redrive.server.webhook.http.Cidr;
import io.redrive.server.webhook.http.ForbiddenAddressException;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {

    private final AddressGuard guard = new AddressGuard(List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "127.1.2.3",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.8",
                "192.0.2.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.51.100.7",
                "203.0.113.7",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::127.0.0.1",
                "64:ff9b::127.0.0.1",
                "64:ff9b::a9fe:a9fe",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:db8::1",
                "2002:7f00:1::1",
                "fc00::1",
                "fdff::1",
                "fe80::1",
                "febf::1",
                "fec0::1",
                "ff02::1",
                "2607:f8b0::200:5efe:127.0.0.1",
                "2130706433",
                "127.1",
            })
    void addresses_that_are_not_public_are_refused(String address) throws Exception {
        InetAddress[] found = InetAddress.getAllByName(address);

        assertThatThrownBy(() -> guard.check("host", found))
                .isInstanceOf(ForbiddenAddressException.class)
                .hasMessageContaining("which no route may reach")
                .hasMessageContaining("webhooks.allow");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.1",
                "100.63.255.255",
                "100.128.0.1",
                "126.255.255.255",
                "128.0.0.1",
                "169.253.1.1",
                "172.15.255.255",
                "172.32.0.1",
                "192.167.1.1",
                "198.17.255.255",
                "198.20.0.1",
                "223.255.255.255",
                "2606:4700:4700::1111",
                "64:ff9b::8.8.8.8",
                "::ffff:8.8.8.8",
                "2a00:1450::1",
            })
    void public_addresses_are_reached(String address) throws Exception {
        assertThat(guard.refusal(InetAddress.getByName(address))).isEmpty();
    }

    @Test
    void one_forbidden_address_among_many_refuses_the_host() throws Exception {
        InetAddress[] mixed = {
            InetAddress.getByName("8.8.8.8"), InetAddress.getByName("2a00:1450::1"), InetAddress.getByName("10.0.0.1")
        };

        assertThatThrownBy(() -> guard.check("host", mixed)).hasMessageContaining("10.0.0.1 (private)");
    }

    @Test
    void the_allow_list_opens_its_ranges_and_no_more() throws Exception {
        AddressGuard open = new AddressGuard(List.of(Cidr.parse("10.1.0.0/16"), Cidr.parse("fd00::/64")));

        assertThat(open.refusal(InetAddress.getByName("10.1.255.255"))).isEmpty();
        assertThat(open.refusal(InetAddress.getByName("64:ff9b::10.1.0.1"))).isEmpty();
        assertThat(open.refusal(InetAddress.getByName("fd00::1"))).isEmpty();
        assertThat(open.refusal(InetAddress.getByName("10.2.0.0"))).contains("private");
        assertThat(open.refusal(InetAddress.getByName("fd00:0:0:1::1"))).contains("private");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0/33",
                "10.0.0.1/8",
                "localhost",
                "10/8",
                "10.0.0.0/",
                "::1/129",
                "10.0.0.0/-1",
                "a.b.c.d/8"
            })
    void a_bad_range_is_refused_and_no_name_is_looked_up(String text) {
        assertThatThrownBy(() -> Cidr.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must ")
                .hasMessageContaining("'" + text + "'");
    }
}
