// Written by `npm run generate` from manifests/crds.

import type { Name, NamespaceName, Uid } from './brands.ts';
import type { ClusterObject, Condition } from './cluster-object.ts';

declare module './kinds.ts' {
  interface Shapes {
    transferApproval: TransferApproval;
    transferRequest: TransferRequest;
  }
}

/**
 * Agrees to one StorageTransferRequest of another namespace: the claim that it names may be moved there. The claim is
 * deleted here when it moves.
 */
export interface TransferApproval extends ClusterObject {
  kind: 'StorageTransferApproval';
  /** The approved transfer. It cannot be changed; delete the approval to withdraw it. */
  spec: {
    /** The object, in this approval's namespace, that may be moved. */
    source: {
      /** The group of the object's kind; empty for claims. */
      apiGroup?: string;
      /** The kind of the object; PersistentVolumeClaim. */
      kind: string;
      /** The name of the object. */
      name: Name;
      /**
       * The claim that may be moved, by its uid: one that is created later under the same name may not. Without it, the
       * claim that has the name when the transfer begins may be moved.
       */
      uid?: Uid;
    };
    /** The namespace whose request is agreed to. */
    targetNamespace: NamespaceName;
    /** The name of the StorageTransferRequest, in the target namespace, that is agreed to. */
    requestName: Name;
    /** After so many seconds of being complete this object is deleted. Without it, it stays. */
    ttlSecondsAfterFinished?: number;
  };
  /** The progress of the transfer. */
  status?: {
    /** The volume belongs to the target claim and all is as it was. */
    complete?: boolean;
    /** The problem that blocks the transfer and that someone must solve. */
    error?: {
      /** When it was first seen. */
      time?: string;
      /** What is wrong and what to do about it. */
      message?: string;
    };
    /** The generation this describes. */
    observedGeneration?: number;
    /** The stages of the transfer, in their order, up to the one that it waits for. */
    conditions?: Condition[];
  };
}

/**
 * Asks for a claim of another namespace to be moved into this one. Nothing happens until the other side agrees by a
 * StorageTransferApproval that names this request.
 */
export interface TransferRequest extends ClusterObject {
  kind: 'StorageTransferRequest';
  /** The requested transfer. It cannot be changed; delete the request and create another one instead. */
  spec: {
    /** The object to move. */
    source: {
      /** The version of the object's kind; v1 for claims. */
      apiVersion?: string;
      /** The kind of the object; PersistentVolumeClaim. */
      kind: string;
      /** The namespace it is in now. */
      namespace: NamespaceName;
      /** The name it has now. */
      name: Name;
      /**
       * The claim that is meant, by its uid. Without it, the claim that has the name is taken, also one that was made
       * anew.
       */
      uid?: Uid;
    };
    /**
     * The name of the StorageTransferApproval, in the source's namespace, that agrees to this. It may be left out where
     * a ReferenceGrant of that namespace allows all such requests.
     */
    approvalName?: Name;
    /** The name that the claim gets in this request's namespace. No such claim may exist yet. */
    targetName: Name;
    /**
     * Labels of the source that are copied to the target: names, prefixes such as example.com/*, or *. Without it,
     * none: what other people wrote may make tools act in this namespace.
     */
    copyLabels?: string[];
    /** The annotations of the source that are copied to the target. */
    copyAnnotations?: string[];
    /** After so many seconds of being complete this object is deleted. Without it, it stays. */
    ttlSecondsAfterFinished?: number;
  };
  /** The progress of the transfer. */
  status?: {
    /** The volume belongs to the target claim and all is as it was. */
    complete?: boolean;
    /** The problem that blocks the transfer and that someone must solve. */
    error?: {
      /** When it was first seen. */
      time?: string;
      /** What is wrong and what to do about it. */
      message?: string;
    };
    /** The volume that is moved. */
    volumeName?: Name;
    /** The generation this describes. */
    observedGeneration?: number;
    /** The stages of the transfer, in their order, up to the one that it waits for. */
    conditions?: Condition[];
  };
}
