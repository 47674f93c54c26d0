// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A certificate authority and what it signs, made by the JDK's keytool in a folder of the test. */
final class Certificates {
  private static final String PASSWORD = "changeit";

  private final Path folder;
  private final Path store;

  Certificates(Path folder) throws Exception {
    this.folder = folder;
    this.store = folder.resolve("all.p12");
    keytool("-genkeypair", "-alias", "ca", "-dname", "CN=test ca", "-ext", "bc:c");
  }

  /** A signed certificate for the subject alternative name, such as {@code dns:localhost}. */
  void sign(String alias, String name, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("-genkeypair", "-alias", alias, "-dname", "CN=" + alias, "-signer", "ca"));
    command.addAll(List.of("-ext", "san=" + name));
    command.addAll(List.of(more));
    keytool(command.toArray(String[]::new));
  }

  private void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-keyalg", "EC", "-storepass", PASSWORD, "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", store.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(Files.readString(folder.resolve("keytool.log")));
    }
  }

  Path certificate(String alias) throws Exception {
    return pem(alias + ".crt", "CERTIFICATE", certificateOf(alias).getEncoded());
  }

  Path key(String alias) throws Exception {
    return pem(alias + ".key", "PRIVATE KEY", keyOf(alias).getEncoded());
  }

  private Path pem(String file, String type, byte[] bytes) throws IOException {
    byte[] newline = "\n".getBytes(StandardCharsets.US_ASCII);
    String text = Base64.getMimeEncoder(64, newline).encodeToString(bytes);
    return Files.writeString(
        folder.resolve(file),
        "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
  }

  /** A context that trusts our authority, or nobody we know, and has the key of the alias. */
  SSLContext context(boolean trusting, @Nullable String alias) throws Exception {
    KeyStore trust = empty();
    Certificates other = trusting ? this : new Certificates(Files.createTempDirectory(folder, "o"));
    trust.setCertificateEntry("ca", other.certificateOf("ca"));
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(trust);
    KeyStore keys = empty();
    if (alias != null) {
      Certificate[] chain = {certificateOf(alias), certificateOf("ca")};
      keys.setKeyEntry(alias, keyOf(alias), PASSWORD.toCharArray(), chain);
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  private static KeyStore empty() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, PASSWORD.toCharArray());
    return keys;
  }

  private KeyStore load() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private Certificate certificateOf(String alias) throws Exception {
    return load().getCertificate(alias);
  }

  private Key keyOf(String alias) throws Exception {
    return load().getKey(alias, PASSWORD.toCharArray());
  }
}
