// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.conformance.Harness;
import io.dddevents.outbox.conformance.Harness.Row;
import io.dddevents.testsupport.Database;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.hibernate.StatelessSession;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.cfg.Configuration;
import org.hibernate.processor.HibernateProcessor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user's project with Hibernate's annotation processor and a Jakarta Data repository. */
final class ProcessorTest {

  private static final Map<String, String> PROJECT =
      Map.of(
          "BookChanged",
          """
          package shop;

          import io.dddevents.DomainEvent;
          import io.dddevents.EventType;

          @EventType("book.changed")
          public record BookChanged(String what) implements DomainEvent {}
          """,
          "Book",
          """
          package shop;

          import io.dddevents.AggregateRoot;
          import jakarta.persistence.Entity;
          import jakarta.persistence.Id;

          @Entity
          public class Book extends AggregateRoot {
            @Id String isbn;
            String title;

            protected Book() {}

            public Book(String isbn) {
              this.isbn = isbn;
              this.title = isbn;
            }

            public Book change(String what) {
              raise(new BookChanged(what));
              return this;
            }
          }
          """,
          "Books",
          """
          package shop;

          import jakarta.data.repository.Delete;
          import jakarta.data.repository.Find;
          import jakarta.data.repository.Insert;
          import jakarta.data.repository.Repository;
          import jakarta.data.repository.Save;
          import jakarta.data.repository.Update;
          import java.util.List;

          @Repository
          public interface Books {
            @Insert void add(Book book);
            @Insert void addAll(List<Book> books);
            @Update void update(Book book);
            @Save void save(Book book);
            @Delete void remove(Book book);
            @Find Book get(String isbn);
          }
          """,
          "Scenario",
          """
          package shop;

          import java.util.List;
          import java.util.function.Consumer;
          import org.hibernate.StatelessSession;

          public final class Scenario implements Consumer<StatelessSession> {
            @Override
            public void accept(StatelessSession session) {
              Books books = new Books_(session);
              // The metamodel of a class whose base class has none.
              if (!Book_.TITLE.equals("title")) {
                throw new IllegalStateException(Book_.TITLE);
              }
              Book book = new Book("1");
              books.add(book.change("insert"));
              books.update(book.change("update"));
              books.save(book.change("save"));
              books.save(new Book("2").change("save of a new one"));
              books.addAll(List.of(new Book("3").change("first"), new Book("4").change("second")));
              books.remove(books.get("3").change("delete"));
            }
          }
          """);

  @Test
  void aProjectWithTheProcessorCompilesAndItsRepositoryIsCaptured(@TempDir Path folder)
      throws Exception {
    assertThat(compile(folder)).filteredOn(line -> !line.startsWith("Note:")).isEmpty();
    assertThat(folder.resolve("shop/Books_.class")).exists();
    URL[] classes = {folder.toUri().toURL()};
    try (URLClassLoader project = new URLClassLoader(classes, getClass().getClassLoader());
        Database database = Database.h2();
        Harness harness = start(database, project)) {
      harness.commitStateless(scenario(project));
      assertThat(harness.rows())
          .extracting(row -> row.aggregateType() + " " + row.aggregateId() + " " + row.what())
          .containsExactly(
              "Book 1 insert",
              "Book 1 update",
              "Book 1 save",
              "Book 2 save of a new one",
              "Book 3 first",
              "Book 4 second",
              "Book 3 delete");
      assertThat(harness.rows()).extracting(Row::type).containsOnly("book.changed");
      assertThat(harness.count("Book")).isEqualTo(3);
    }
  }

  @SuppressWarnings("unchecked")
  private static Consumer<StatelessSession> scenario(ClassLoader project) throws Exception {
    return (Consumer<StatelessSession>)
        project.loadClass("shop.Scenario").getDeclaredConstructor().newInstance();
  }

  private static Harness start(Database database, ClassLoader project) throws Exception {
    BootstrapServiceRegistryBuilder bootstrap = new BootstrapServiceRegistryBuilder();
    Configuration configuration =
        new Configuration(bootstrap.applyClassLoader(project).build())
            .addAnnotatedClass(project.loadClass("shop.Book"));
    configuration.getProperties().putAll(Connections.to(database));
    configuration.setProperty("hibernate.hbm2ddl.auto", "create");
    return new Harness(configuration.buildSessionFactory());
  }

  /** Compiles the project with the processor into the folder; returns what the compiler says. */
  private static List<String> compile(Path folder) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter says = new StringWriter();
    Path sources = Files.createDirectories(folder.resolve("src/shop"));
    for (Map.Entry<String, String> source : PROJECT.entrySet()) {
      Files.writeString(sources.resolve(source.getKey() + ".java"), source.getValue(), UTF_8);
    }
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
      List<Path> all = PROJECT.keySet().stream().map(n -> sources.resolve(n + ".java")).toList();
      List<String> options =
          List.of(
              "-d",
              folder.toString(),
              "-cp",
              System.getProperty("java.class.path"),
              "--release",
              "17",
              "-Xlint:-processing",
              "-implicit:none");
      JavaCompiler.CompilationTask task =
          compiler.getTask(
              says, files, null, options, null, files.getJavaFileObjectsFromPaths(all));
      task.setProcessors(List.of(new HibernateProcessor()));
      assertThat(task.call()).as(says.toString()).isTrue();
    }
    return says.toString().lines().toList();
  }
}
