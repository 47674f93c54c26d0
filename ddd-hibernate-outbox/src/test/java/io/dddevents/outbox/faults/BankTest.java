// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A bank on one database. After every test its books are audited, whatever the test was about. */
@ExtendWith({LogGuard.class, LeakGuard.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BankTest {

  private final Supplier<Database> source;
  private Database database;
  private Bank bank;
  private Books books;

  BankTest(Supplier<Database> source) {
    this.source = source;
  }

  @BeforeAll
  final void open() {
    database = source.get();
    bank = Bank.founded(database);
    books = new Books(database);
  }

  @BeforeEach
  final void clear() {
    books.clear();
  }

  @AfterEach
  final void theBooksBalance() {
    books.assertBalanced();
  }

  @AfterAll
  final void close() {
    if (bank == null) {
      return; // without the server nothing was opened, and the class is skipped
    }
    bank.close();
    database.close();
  }

  final Database database() {
    return database;
  }

  final Bank bank() {
    return bank;
  }

  final Books books() {
    return books;
  }
}
