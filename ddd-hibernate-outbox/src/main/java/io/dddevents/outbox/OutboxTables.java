// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.Map;
import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.model.relational.AuxiliaryDatabaseObject;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.config.spi.ConfigurationService;

/**
 * Lets Hibernate's schema tool create our tables where an application lets it create its own. Found
 * by {@link java.util.ServiceLoader}; public for that reason only.
 *
 * <p>The tool drops such objects before it updates a schema, so ours has nothing to drop with: an
 * outbox may hold events.
 */
public final class OutboxTables implements AdditionalMappingContributor {

  /** For the service loader. */
  public OutboxTables() {}

  @Override
  public String getContributorName() {
    return "ddd-events";
  }

  @Override
  public void contribute(
      AdditionalMappingContributions contributions,
      InFlightMetadataCollector metadata,
      ResourceStreamLocator resources,
      MetadataBuildingContext context) {
    Map<String, Object> properties =
        context
            .getBootstrapContext()
            .getServiceRegistry()
            .requireService(ConfigurationService.class)
            .getSettings();
    OutboxSettings settings = OutboxSettings.of(properties);
    if (settings.enabled() && settings.schemaTool()) {
      contributions.contributeAuxiliaryDatabaseObject(new Tables(settings.names()));
    }
  }

  private static final class Tables implements AuxiliaryDatabaseObject {

    private static final long serialVersionUID = 1L;

    // Hibernate declares such objects serialisable and serialises none.
    private final transient OutboxNames names;

    Tables(OutboxNames names) {
      this.names = names;
    }

    @Override
    public String getExportIdentifier() {
      return "ddd-events." + names.qualified("outbox");
    }

    @Override
    public boolean appliesToDialect(Dialect dialect) {
      return true;
    }

    @Override
    public boolean beforeTablesOnCreation() {
      return false;
    }

    @Override
    public String[] sqlCreateStrings(SqlStringGenerationContext context) {
      return new OutboxSchema(SqlDialect.of(context.getDialect()), names)
          .statements()
          .toArray(String[]::new);
    }

    @Override
    public String[] sqlDropStrings(SqlStringGenerationContext context) {
      return new String[0];
    }
  }
}
