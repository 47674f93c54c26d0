// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static io.dddevents.rabbit.Limits.require;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How to reach RabbitMQ. Immutable, checked when built, safe for many threads; its text form holds
 * no secret.
 *
 * <p>Without TLS only this machine can be reached, and user {@code guest} or an empty password are
 * good for this machine only, unless each is allowed by name. With TLS the host name is always
 * verified, against the trust store of the {@link SSLContext} that you hand in; there is no switch
 * that trusts everybody. A key in that context makes it mutual TLS.
 */
public final class RabbitConnection {

  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final List<Node> nodes;
  private final String virtualHost;
  private final Supplier<RabbitCredentials> credentials;
  private final @Nullable SSLContext tls;
  private final Duration connectTimeout;
  private final Duration heartbeat;
  private final boolean defaultUserAllowed;

  /**
   * One address of the broker.
   *
   * @param host a name or a literal address
   * @param port the port
   */
  record Node(String host, int port) {

    Node {
      require(!host.isBlank(), "host must not be blank");
      require(port >= 1 && port <= 65_535, "port must be from 1 to 65535, was " + port);
    }

    /** By its text alone: asking the DNS would let whoever answers decide. */
    boolean isLoopback() {
      String name = host.toLowerCase(Locale.ROOT);
      return name.equals("localhost")
          || name.equals("::1")
          || name.equals("[::1]")
          || name.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
    }

    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  private RabbitConnection(Builder builder) {
    this.nodes = List.copyOf(builder.nodes);
    this.virtualHost = builder.virtualHost;
    this.tls = builder.tls;
    this.connectTimeout = builder.connectTimeout;
    this.heartbeat = builder.heartbeat;
    this.defaultUserAllowed = builder.defaultUserAllowed;
    require(!nodes.isEmpty(), "a connection needs at least one address");
    if (builder.credentials == null) {
      throw new IllegalArgumentException("a connection needs credentials");
    }
    this.credentials = builder.credentials;
    Limits.requireDuration("connectTimeout", connectTimeout, Duration.ofMillis(100), LONGEST);
    Limits.requireDuration("heartbeat", heartbeat, Duration.ofSeconds(1), LONGEST);
    Limits.requireShortString("virtualHost", virtualHost);
    boolean plainAllowed = tls != null || builder.plaintextAllowed;
    nodes.forEach(
        node ->
            require(
                plainAllowed || node.isLoopback(),
                "without TLS only this machine can be reached, and "
                    + node
                    + " is another; use tls(...), or allowPlaintext() if the network is safe"));
  }

  /** Starts without any address. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Starts from {@code amqp://user:password@host:port/virtual-host}; port and virtual host may be
   * left out, and so may user and password if {@link Builder#credentials} follows. For {@code
   * amqps} the JVM's default trust store is used unless {@link Builder#tls} follows. Prefer {@link
   * #builder()}: a URI with a password tends to end up in places where it can be read.
   */
  public static Builder uri(String uri) {
    URI parsed;
    try {
      parsed = new URI(uri);
    } catch (URISyntaxException e) {
      // Neither its message nor the exception: both hold the whole text, with the password.
      throw new IllegalArgumentException("the AMQP URI is not well-formed (" + masked(uri) + ")");
    }
    String scheme = String.valueOf(parsed.getScheme());
    require(
        scheme.equals("amqp") || scheme.equals("amqps"),
        "the AMQP URI must begin with amqp:// or amqps:// (" + masked(uri) + ")");
    require(parsed.getHost() != null, "the AMQP URI has no host (" + masked(uri) + ")");
    boolean secure = scheme.equals("amqps");
    int defaultPort = secure ? 5671 : 5672;
    Builder builder =
        new Builder()
            .address(parsed.getHost(), parsed.getPort() < 0 ? defaultPort : parsed.getPort());
    String path = parsed.getRawPath();
    if (path != null && path.length() > 1) {
      builder.virtualHost(decoded(path.substring(1)));
    }
    String user = parsed.getRawUserInfo();
    if (user != null) {
      int colon = user.indexOf(':');
      require(colon > 0, "the AMQP URI has a user without a password (" + masked(uri) + ")");
      builder.credentials(decoded(user.substring(0, colon)), decoded(user.substring(colon + 1)));
    }
    return secure ? builder.tls(defaultTls()) : builder;
  }

  /** The text with everything between {@code //} and the last {@code @} hidden. */
  static String masked(String uri) {
    int at = uri.lastIndexOf('@');
    int start = uri.indexOf("//");
    String shown =
        at < 0 ? uri : (start < 0 ? "" : uri.substring(0, start + 2)) + "***" + uri.substring(at);
    return Causes.clean(shown);
  }

  private static String decoded(String part) {
    try {
      // URLDecoder is for forms, where a plus is a blank; in a URI it is a plus.
      return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the AMQP URI has a wrong % sequence");
    }
  }

  private static SSLContext defaultTls() {
    try {
      return SSLContext.getDefault();
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalArgumentException("the JVM has no default TLS context; use tls(...)", e);
    }
  }

  /** Read anew for each connection, so that a changed password is used without a restart. */
  RabbitCredentials currentCredentials() {
    RabbitCredentials current = suppliedCredentials();
    boolean weak = current.user().equals("guest") || current.password().isEmpty();
    boolean away = !nodes.stream().allMatch(Node::isLoopback);
    require(
        defaultUserAllowed || !weak || !away,
        "user guest and empty passwords are refused for a broker on another machine;"
            + " use a user of its own, or allowDefaultUser()");
    return current;
  }

  private RabbitCredentials suppliedCredentials() {
    try {
      return Objects.requireNonNull(credentials.get());
    } catch (RuntimeException e) {
      // Neither its message nor the exception itself: a secret may stand in there.
      throw new IllegalStateException(
          "the supplier of credentials failed with " + e.getClass().getName());
    }
  }

  List<Node> nodes() {
    return nodes;
  }

  String virtualHost() {
    return virtualHost;
  }

  Optional<SSLContext> tls() {
    return Optional.ofNullable(tls);
  }

  Duration connectTimeout() {
    return connectTimeout;
  }

  Duration heartbeat() {
    return heartbeat;
  }

  /** Addresses, virtual host and whether by TLS; never a user or password. */
  @Override
  public String toString() {
    return (tls == null ? "amqp" : "amqps") + " " + nodes + " virtual host '" + virtualHost + "'";
  }

  /** Collects settings; {@link #build()} checks them together. */
  public static final class Builder {

    private final List<Node> nodes = new ArrayList<>();
    private String virtualHost = "/";
    private @Nullable Supplier<RabbitCredentials> credentials;
    private @Nullable SSLContext tls;
    private Duration connectTimeout = Duration.ofSeconds(5);
    private Duration heartbeat = Duration.ofSeconds(10);
    private boolean plaintextAllowed;
    private boolean defaultUserAllowed;

    private Builder() {}

    /** Adds an address of the broker. With several, they are tried in random order. Required. */
    public Builder address(String host, int port) {
      nodes.add(new Node(host, port));
      return this;
    }

    /** The virtual host. Defaults to {@code /}. */
    public Builder virtualHost(String virtualHost) {
      this.virtualHost = virtualHost;
      return this;
    }

    /** A user and password that never change. */
    public Builder credentials(String user, String password) {
      RabbitCredentials fixed = new RabbitCredentials(user, password);
      return credentials(() -> fixed);
    }

    /**
     * Where user and password come from; asked before every connection, on the publisher's own
     * thread. If it throws, that is an outage; its message is not shown. Required.
     */
    public Builder credentials(Supplier<RabbitCredentials> credentials) {
      this.credentials = Objects.requireNonNull(credentials, "credentials");
      return this;
    }

    /**
     * TLS 1.2 or newer with this context: its trust store decides whom we believe, its key, if any,
     * who we are. The host name is verified in any case. Defaults to no TLS.
     */
    public Builder tls(SSLContext context) {
      this.tls = Objects.requireNonNull(context, "context");
      return this;
    }

    /**
     * How long each step of connecting may take: the TCP connection, the handshake, and each
     * request about the exchange. From 100 ms to 10 min. Defaults to 5 s.
     */
    public Builder connectTimeout(Duration connectTimeout) {
      this.connectTimeout = connectTimeout;
      return this;
    }

    /** The heartbeat asked for, in whole seconds, from 1 s to 10 min. Defaults to 10 s. */
    public Builder heartbeat(Duration heartbeat) {
      this.heartbeat = heartbeat;
      return this;
    }

    /** Allows other machines without TLS: passwords and events can be read on the way. */
    public Builder allowPlaintext() {
      this.plaintextAllowed = true;
      return this;
    }

    /** Allows user {@code guest} and empty passwords for other machines. */
    public Builder allowDefaultUser() {
      this.defaultUserAllowed = true;
      return this;
    }

    /** The settings, or an {@link IllegalArgumentException} that names what is wrong. */
    public RabbitConnection build() {
      return new RabbitConnection(this);
    }
  }
}
