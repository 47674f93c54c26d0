// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import java.util.Map;

/** What the cases need from the test that runs them. */
public interface CaptureSuite {

  /** The factory that most cases use; its outbox is empty at the start of each. */
  Harness harness();

  /** Another factory on the same database, with further settings; the case closes it. */
  Harness harness(Map<String, Object> settings);
}
