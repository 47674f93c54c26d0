// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.io.IOException;
import java.io.InputStream;
import org.hibernate.bytecode.enhance.spi.DefaultEnhancementContext;
import org.hibernate.bytecode.enhance.spi.Enhancer;
import org.hibernate.bytecode.enhance.spi.UnloadedClass;
import org.hibernate.bytecode.enhance.spi.UnloadedField;
import org.hibernate.bytecode.internal.BytecodeProviderInitiator;
import org.jspecify.annotations.Nullable;

/**
 * Loads this module once more, main code and tests, with the entities of the suite enhanced as
 * Hibernate's Maven plugin would: lazy attributes and inline dirty tracking. All else comes from
 * the parent.
 */
final class EnhancingLoader extends ClassLoader {

  private static final String MODULE = "io.dddevents.outbox.";
  private static final String DOMAIN = MODULE + "domain.";

  private final Enhancer enhancer;

  EnhancingLoader(ClassLoader parent) {
    super(parent);
    this.enhancer =
        BytecodeProviderInitiator.buildDefaultBytecodeProvider()
            .getEnhancer(
                new DefaultEnhancementContext() {
                  @Override
                  public ClassLoader getLoadingClassLoader() {
                    return parent;
                  }

                  @Override
                  public boolean hasLazyLoadableAttributes(UnloadedClass type) {
                    return true;
                  }

                  @Override
                  public boolean isLazyLoadable(UnloadedField field) {
                    return true;
                  }

                  @Override
                  public boolean doDirtyCheckingInline(UnloadedClass type) {
                    return true;
                  }

                  @Override
                  public boolean doBiDirectionalAssociationManagement(UnloadedField field) {
                    return false;
                  }
                });
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(MODULE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      byte @Nullable [] enhanced = name.startsWith(DOMAIN) ? enhancer.enhance(name, bytes) : null;
      byte[] code = enhanced == null ? bytes : enhanced;
      return defineClass(name, code, 0, code.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
