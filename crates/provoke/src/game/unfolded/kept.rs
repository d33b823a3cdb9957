//! What a thread keeps for itself of something that is shared.

use std::any::Any;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// The name of something of which every thread keeps one of its own. Asking for it costs a few instructions, where a lock costs
/// as much as following a whole step does.
#[derive(Debug)]
pub(super) struct Kept(u64);

thread_local! {
    static KEPT: RefCell<Vec<(u64, Box<dyn Any>)>> = const { RefCell::new(Vec::new()) };
}

impl Default for Kept {
    fn default() -> Kept {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Kept(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Kept {
    /// Works with what this thread keeps; where it keeps nothing yet, with what is made now. The work must not ask again.
    #[inline]
    pub(super) fn with<T: 'static, R>(&self, make: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        KEPT.with_borrow_mut(|kept| {
            let place = match kept.iter().position(|(name, _)| *name == self.0) {
                Some(place) => place,
                None => {
                    kept.push((self.0, Box::new(make())));
                    kept.len() - 1
                }
            };
            let own = kept[place].1.downcast_mut::<T>();
            work(own.expect("a name is used for one type"))
        })
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // Where the thread itself ends, it is gone already.
        let _ = KEPT.try_with(|kept| kept.borrow_mut().retain(|(name, _)| *name != self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_keeps_its_own_until_the_name_is_gone() {
        let (one, other) = (Kept::default(), Kept::default());
        let count = |name: &Kept| name.with(|| 0u32, |count| std::mem::replace(count, *count + 1));
        assert_eq!([count(&one), count(&one), count(&other), count(&one)], [0, 1, 0, 2]);
        std::thread::scope(|scope| {
            scope.spawn(|| assert_eq!([count(&one), count(&one)], [0, 1]));
        });
        assert_eq!(count(&one), 3);
        let kept = || KEPT.with_borrow(Vec::len);
        let before = kept();
        drop(one);
        assert_eq!((kept(), count(&other)), (before - 1, 1));
    }
}
