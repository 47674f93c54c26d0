// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/** The rules that every module's main code keeps. Start at {@link ArchitectureRules}. */
@NullMarked
package io.dddevents.testsupport.arch;

import org.jspecify.annotations.NullMarked;
