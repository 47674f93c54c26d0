// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ServerUrlTest {
  @Test
  void takesTheCredentialsOutAndKeepsTheOtherParameters() {
    ServerUrl url =
        ServerUrl.parse("jdbc:postgresql://db:5/admin?user=u&ssl=true&password=p=q&x=1");
    assertThat(url.user()).isEqualTo("u");
    assertThat(url.password()).isEqualTo("p=q");
    assertThat(url.admin()).isEqualTo("jdbc:postgresql://db:5/admin?ssl=true&x=1");
    assertThat(url.database("frogs")).isEqualTo("jdbc:postgresql://db:5/frogs?ssl=true&x=1");
  }

  @Test
  void needsNoParameters() {
    assertThat(ServerUrl.parse("jdbc:mariadb://db:5/").database("frogs"))
        .isEqualTo("jdbc:mariadb://db:5/frogs");
  }

  @Test
  void refusesOtherUrlsWithoutTellingThePassword() {
    assertThatThrownBy(() -> ServerUrl.parse("jdbc:oracle:thin?password=secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
  }
}
