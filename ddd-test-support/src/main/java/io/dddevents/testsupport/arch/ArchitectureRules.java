// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport.arch;

import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Rules for main code, one factory each. A module's own test calls those that concern it:
 *
 * <pre>{@code
 * JavaClasses main = ArchitectureRules.mainClassesOf(AggregateRoot.class);
 * ArchitectureRules.timeIsADependency().check(main);
 * }</pre>
 */
public final class ArchitectureRules {

  private static final List<String> BANNED_WORDS =
      List.of("Manager", "Helper", "Util", "Impl", "Processor");

  private ArchitectureRules() {}

  /** The classes of the folder or jar that holds the given one: main code, never tests. */
  public static JavaClasses mainClassesOf(Class<?> anchor) {
    return new ClassFileImporter()
        .importUrl(anchor.getProtectionDomain().getCodeSource().getLocation());
  }

  /**
   * Classes of the package, and not of those below it, depend on nothing but the given packages.
   * Name the package itself too. A package ends in {@code ..} to mean those below as well.
   */
  public static ArchRule dependsOnlyOn(String thePackage, String... allowed) {
    return classes()
        .that()
        .resideInAPackage(thePackage)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed)
        .because("what a module uses it forces upon its users");
  }

  /** Classes outside of the named ones do not touch the given packages. */
  public static ArchRule onlyTheseTouch(List<String> simpleNames, String... packages) {
    return noClasses()
        .that(
            is(
                "other than " + simpleNames,
                type -> !simpleNames.contains(outermost(type).getSimpleName())))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages)
        .allowEmptyShould(true)
        .because("a technology belongs to the class that is made for it");
  }

  /** No {@code now()} without a clock, no {@code currentTimeMillis}, no {@code sleep}. */
  public static ArchRule timeIsADependency() {
    return noClasses()
        .should()
        .accessTargetWhere(
            accesses(
                "the system's time",
                access ->
                    readsTimeWithoutClock(access)
                        || isMember(access, System.class, "currentTimeMillis")
                        || isMember(access, Thread.class, "sleep")))
        .because("time comes from a java.time.Clock, and waiting ends by a signal");
  }

  /** No {@code System.out}, {@code System.err} or {@code printStackTrace}. */
  public static ArchRule nothingIsPrinted() {
    return noClasses()
        .should()
        .accessTargetWhere(
            accesses(
                "the console",
                access ->
                    isMember(access, System.class, "out")
                        || isMember(access, System.class, "err")
                        || (access.getName().equals("printStackTrace")
                            && access.getTargetOwner().isAssignableTo(Throwable.class))))
        .because("a library speaks by exceptions and by SLF4J");
  }

  /** No {@code Class.forName}, no {@code loadClass}, no Java deserialisation. */
  public static ArchRule dataNeverNamesCode() {
    return noClasses()
        .should()
        .accessTargetWhere(
            accesses(
                "a way from a name to code",
                access ->
                    isMember(access, Class.class, "forName")
                        || (access.getName().equals("loadClass")
                            && access.getTargetOwner().isAssignableTo(ClassLoader.class))
                        || access.getTargetOwner().isAssignableTo("java.io.ObjectInputStream")))
        .because("a type name in a message is the key of a map and nothing else");
  }

  /** Classes that can be instantiated are final, except for the named ones. */
  public static ArchRule concreteClassesAreFinal(Class<?>... exceptions) {
    List<String> names = List.of(exceptions).stream().map(Class::getName).toList();
    return classes()
        .that(is("concrete", ArchitectureRules::isConcrete))
        .and(is("not one of " + names, type -> !names.contains(type.getName())))
        .should()
        .haveModifier(JavaModifier.FINAL)
        .because("inheritance is a promise; give it on purpose");
  }

  /** No class is called a manager, helper, util, impl or processor. */
  public static ArchRule namesSayWhatThingsAre() {
    return noClasses()
        .should(be(is("named after " + BANNED_WORDS, ArchitectureRules::hasBannedName)))
        .because("the glossary has one word per concept, and none of these");
  }

  /** No field is injected, whatever the container. */
  public static ArchRule nothingIsInjectedIntoFields() {
    return noFields()
        .should()
        .beAnnotatedWith(
            DescribedPredicate.describe(
                "@Inject and the like",
                annotation ->
                    Set.of("Inject", "Autowired", "Resource", "PersistenceContext")
                        .contains(annotation.getRawType().getSimpleName())))
        .because("plain constructors work with every container and with none");
  }

  /**
   * Fails unless the types that a user can see (public, and public all the way out) are those that
   * the test's module lists in {@code src/test/resources/public-types.txt}, sorted, one a line.
   */
  public static void checkPublicTypes(JavaClasses main, Class<?> test) throws IOException {
    Set<String> unlisted = new TreeSet<>(publicTypesOf(main));
    Set<String> missing = new TreeSet<>();
    try (InputStream list = test.getResourceAsStream("/public-types.txt")) {
      if (list != null) {
        new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(missing::add);
      }
    }
    Set<String> listed = new TreeSet<>(missing);
    missing.removeAll(unlisted);
    unlisted.removeAll(listed);
    if (!unlisted.isEmpty() || !missing.isEmpty()) {
      throw new AssertionError(
          "The public types of this module have changed, and a type that is public once stays so."
              + " If the change is meant, edit src/test/resources/public-types.txt and tell it in"
              + " CHANGELOG.md. Public but not listed: "
              + unlisted
              + ". Listed but not public: "
              + missing);
    }
  }

  private static List<String> publicTypesOf(JavaClasses main) {
    return main.stream().filter(ArchitectureRules::isVisible).map(JavaClass::getName).toList();
  }

  private static boolean isVisible(JavaClass type) {
    Optional<JavaClass> outer = type.getEnclosingClass();
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && !type.isAnonymousClass()
        && (outer.isEmpty() || isVisible(outer.get()));
  }

  private static boolean isConcrete(JavaClass type) {
    // Anonymous classes cannot be extended; enums with constant bodies are sealed by the compiler.
    return !type.isInterface()
        && !type.isEnum()
        && !type.isAnonymousClass()
        && !type.getModifiers().contains(JavaModifier.ABSTRACT)
        && !type.getSimpleName().equals("package-info");
  }

  private static boolean hasBannedName(JavaClass type) {
    return BANNED_WORDS.stream().anyMatch(type.getSimpleName()::contains);
  }

  private static boolean readsTimeWithoutClock(JavaAccess<?> access) {
    // Clock.systemUTC() is how a default clock is made; now() without one is how it is forgotten.
    return access.getTargetOwner().getPackageName().equals("java.time")
        && access.getTarget().getFullName().matches(".*\\.now\\((java\\.time\\.ZoneId)?\\)");
  }

  private static boolean isMember(JavaAccess<?> access, Class<?> owner, String name) {
    return access.getTargetOwner().isEquivalentTo(owner) && access.getName().equals(name);
  }

  private static JavaClass outermost(JavaClass type) {
    JavaClass outer = type;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return outer;
  }

  private static DescribedPredicate<JavaClass> is(String what, Predicate<JavaClass> test) {
    return DescribedPredicate.describe(what, test);
  }

  private static DescribedPredicate<JavaAccess<?>> accesses(
      String what, Predicate<JavaAccess<?>> test) {
    return DescribedPredicate.describe(what, test);
  }
}
