/* SPDX-License-Identifier: Apache-2.0 */
/* local.h -- how local recoding shows its classes. */
#ifndef KN_GROUP_LOCAL_H
#define KN_GROUP_LOCAL_H

/** What a class of a local recoding shows of its numbers and categories. */
typedef enum { KN_LOCAL_INTERVAL, KN_LOCAL_MEAN, KN_LOCAL_MEDIAN, KN_LOCAL_MODE } kn_local;
/** Where the ends of its intervals may lie. */
typedef enum { KN_SNAP_OFF, KN_SNAP_HIERARCHY, KN_SNAP_GRID } kn_snap;

#endif
