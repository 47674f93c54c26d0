// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import com.arjuna.ats.arjuna.common.CoordinatorEnvironmentBean;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.UserTransaction;
import org.hibernate.engine.transaction.jta.platform.internal.AbstractJtaPlatform;

/** A real transaction manager for Hibernate; it keeps its log in memory and starts no thread. */
final class Narayana extends AbstractJtaPlatform {

  private static final long serialVersionUID = 1L;

  static {
    for (String store : new String[] {"default", "communicationStore", "stateStore"}) {
      BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
          .setObjectStoreType(VolatileStore.class.getName());
    }
    BeanPopulator.getDefaultInstance(CoordinatorEnvironmentBean.class).setDefaultTimeout(0);
  }

  static TransactionManager transactions() {
    return com.arjuna.ats.jta.TransactionManager.transactionManager();
  }

  @Override
  protected TransactionManager locateTransactionManager() {
    return transactions();
  }

  @Override
  protected UserTransaction locateUserTransaction() {
    return com.arjuna.ats.jta.UserTransaction.userTransaction();
  }
}
